/** Checks the contrast of a page's texts, within the page. */

/**
 * An expression for the page: the texts whose contrast with the flat colour behind them is below what WCAG 2.2 asks for at the level AA: 4.5 to 1, or 3
 * to 1 for large letters (https://www.w3.org/TR/WCAG22/#contrast-minimum). Texts over gradients are left out.
 */
export const tooFaint = `(() => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const read = new Map();
  const rgba = (color) => {
    if (!read.has(color)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      read.set(color, [...canvas.getImageData(0, 0, 1, 1).data]);
    }
    return read.get(color);
  };
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (element) => {
    for (let it = element; it; it = it.parentElement) {
      const style = getComputedStyle(it);
      if (style.backgroundImage !== 'none') return undefined;
      const color = rgba(style.backgroundColor);
      if (color[3] > 0) return color[3] > 200 ? color : undefined;
    }
    return undefined;
  };
  const faint = [];
  let judged = 0;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (texts.currentNode.data.trim() === '' || !element.checkVisibility()) continue;
    const back = behind(element);
    if (!back) continue;
    judged += 1;
    const style = getComputedStyle(element);
    const [light, dark] = [luminance(rgba(style.color)), luminance(back)].sort((a, b) => b - a);
    const ratio = (light + 0.05) / (dark + 0.05);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    if (ratio < (isLarge ? 3 : 4.5)) faint.push(texts.currentNode.data.trim().slice(0, 40) + ': ' + ratio.toFixed(2));
  }
  return judged > 10 ? faint : ['only ' + judged + ' texts were judged'];
})()`;
