/** Colour arithmetic in OKLab, where a half-way mix also looks half-way. All colours are `#rrggbb`. */

/** Lightness, and the two axes of colour. */
type Lab = readonly [lightness: number, a: number, b: number];

const toLinear = (value: number): number =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
const toGamma = (value: number): number =>
  value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055;

/** Matrices of the OKLab definition: https://bottosson.github.io/posts/oklab/ */
function toLab(hex: string): Lab {
  const bits = Number.parseInt(hex.slice(1), 16);
  const channel = (shift: number): number => toLinear(((bits >> shift) & 255) / 255);
  const [red, green, blue] = [channel(16), channel(8), channel(0)];
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function toHex([lightness, a, b]: Lab): string {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const channels = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((linear) => Math.round(255 * toGamma(Math.min(1, Math.max(0, linear)))));
  return `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** The colour `amount` (0 to 1) of the way from one `#rrggbb` to another. */
export function mix(from: string, to: string, amount: number): string {
  const [start, end] = [toLab(from), toLab(to)];
  const t = Math.min(1, Math.max(0, amount));
  const between = (axis: 0 | 1 | 2): number => start[axis] + (end[axis] - start[axis]) * t;
  return toHex([between(0), between(1), between(2)]);
}

/** The same hue with its lightness and its colourfulness multiplied. */
export function adjust(hex: string, lightness: number, chroma = 1): string {
  const [current, a, b] = toLab(hex);
  return toHex([Math.min(1, current * lightness), a * chroma, b * chroma]);
}

/** A colour of given lightness (0 to 1), chroma (about 0 to 0.3) and hue (degrees). */
export function fromHue(lightness: number, chroma: number, hueDegrees: number): string {
  const angle = (hueDegrees * Math.PI) / 180;
  return toHex([lightness, chroma * Math.cos(angle), chroma * Math.sin(angle)]);
}
