/** The URLs of images in CSS, each with where it stands and what it belongs to; in one pass. */

/** A URL in CSS. */
export interface CssUrl {
  /** As it is written. */
  readonly url: string;
  /** Position in the text. */
  readonly start: number;
  /** Property in lower case that holds it. */
  readonly property: string;
  /** Selector of the rule, with single spaces; empty for the content of a `style` attribute. */
  readonly selector: string;
}

const string = String.raw`"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?`;
/** URLs, comments, texts, and the characters that structure CSS. */
const token = new RegExp(
  String.raw`\burl\(\s*(?<url>${string}|[^"'()\s][^()\s]*)\s*\)|\/\*[\s\S]*?(?:\*\/|$)|(?<text>${string})|[{};:]`,
  'gi',
);
/** A text that is a URL, as `image-set()` takes it. */
const urlText = /^["']\s*(?:(?:https?:)?\/\/|[^"']*\.(?:png|jpe?g|webp|avif|gif|svg)\b)/i;
/** The longest part of a selector that is looked at. */
const preludeMax = 300;

/** @param css of a `<style>` or of a `style` attribute, in which quotes may be character references */
export function cssUrls(css: string): CssUrl[] {
  // Of the same length, so that positions stay.
  const plain = css
    .replace(/&(?:quot|#34);/g, (reference) => '"'.padEnd(reference.length))
    .replace(/&(?:apos|#39);/g, (reference) => "'".padEnd(reference.length));
  const urls: CssUrl[] = [];
  const selectors: string[] = [];
  let [from, property] = [0, ''];
  /** What stands before a position since the last rule or declaration. */
  const before = (end: number) =>
    plain
      .slice(Math.max(from, end - preludeMax), end)
      .replace(/\/\*[\s\S]*?(?:\*\/|$)|\s+/g, ' ')
      .trim();
  for (const { 0: whole, index, groups } of plain.matchAll(token)) {
    const { url, text = '' } = groups ?? {};
    const written = url ?? (urlText.test(text) ? text : '');
    if (written !== '') {
      const [opening = ''] = /^["']?\s*/.exec(written) ?? [];
      const start = index + whole.indexOf(written, url === undefined ? 0 : 'url('.length) + opening.length;
      const bare = written.slice(opening.length).replace(/\s*["']$/, '');
      if (bare !== '' && property !== '')
        urls.push({ url: bare, start, property, selector: selectors.at(-1) ?? '' });
    } else if (whole === ':') property ||= /^[\w-]+$/.exec(before(index))?.[0].toLowerCase() ?? '';
    else if (/^[{};]$/.test(whole)) {
      // A rule within @media is the same rule as without.
      const prelude = whole === '{' ? before(index) : '';
      if (whole === '{') selectors.push(prelude.startsWith('@') ? (selectors.at(-1) ?? '') : prelude);
      if (whole === '}') selectors.pop();
      [from, property] = [index + 1, ''];
    }
  }
  return urls;
}
