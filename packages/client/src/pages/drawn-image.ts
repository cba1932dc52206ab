/** Images that are drawn in the page itself, where a photo would be wrong: a quiet box, the initials of a person. */

import type { Size } from '../image-size';

const quiet = '#d8d5cf';

/**
 * @param tone colour of the page as `#rrggbb`; another text counts as none
 * @param name whose initials are drawn; a plain box without one
 * @returns a data URI
 */
export function drawnImage({ width, height }: Size, tone: string | undefined, name?: string): string {
  const fill = tone && /^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(tone) ? tone : quiet;
  const letters = name === undefined ? '' : initials(name);
  const text =
    letters &&
    `<text x="50%" y="50%" dy=".35em" text-anchor="middle" font-family="system-ui,sans-serif" font-weight="600" font-size="${Math.round(Math.min(width, height) * 0.4)}" fill="${isLight(fill) ? '#33312e' : '#fff'}">${letters}</text>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="100%" height="100%" fill="${fill}"/>${text}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg).replace(/[()']/g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`;
}

/** First letters of the first and the last name; the first character where a name has no spaces. */
function initials(name: string): string {
  const parts = name.split(/\s+/).filter((part) => /^[\p{Lu}\p{Lo}]/u.test(part));
  const ends = parts.length > 1 ? [parts[0], parts.at(-1)] : parts;
  return ends.map((part) => [...(part ?? '')][0] ?? '').join('');
}

function isLight(color: string): boolean {
  const digits =
    color.length === 4 ? [...color.slice(1)].map((digit) => digit + digit).join('') : color.slice(1);
  const [red = 0, green = 0, blue = 0] = (digits.match(/../g) ?? []).map((hex) => Number.parseInt(hex, 16));
  return 0.299 * red + 0.587 * green + 0.114 * blue > 150;
}
