/** Images that are drawn in the page itself, where a photo would be wrong: a quiet box, the initials of a person. */

import type { Size } from '../image-size';

const quiet = '#d8d5cf';

/**
 * @param tone colour of the page as `#rrggbb`, for a box; another text counts as none
 * @param name whose initials are drawn; a plain box without one
 * @returns a data URI
 */
export function drawnImage({ width, height }: Size, tone = '', name?: string): string {
  // First letters of the first and the last name; the first character where a name has no spaces.
  const names = name?.split(/\s+/).filter((part) => /^[\p{Lu}\p{Lo}]/u.test(part)) ?? [];
  const letters = [...new Set([0, names.length - 1])].map((index) => [...(names[index] ?? '')][0] ?? '');
  const isBox = name === undefined && /^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(tone);
  const size = Math.round(Math.min(width, height) * 0.4);
  const text = `<text x="50%" y="50%" dy=".35em" text-anchor="middle" font-family="system-ui,sans-serif" font-weight="600" font-size="${size}" fill="#33312e">${letters.join('')}</text>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="100%" height="100%" fill="${isBox ? tone : quiet}"/>${names.length > 0 ? text : ''}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg).replace(/[()']/g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`;
}
