/** What a fake photo shows, drawn into it where a fake judge can read it: blocks along the lower edge, and a spot to be kept. */

import { sha256Hex } from '../../lambda/requests/image-request';
import type { Size } from '../../lambda/requests/rendition';
import { isStopWord, stemOf, wordsOf } from '../../lambda/stock/words';

/** What a fake photo may show that is not wanted on most pages. */
const shownFlaws = ['people', 'text', 'not_photo'] as const;
/** One of them, by the name that a judge uses. */
export type ShownFlaw = (typeof shownFlaws)[number];

/** Words of a photo that are drawn, and the bits of each. */
const wordsMax = 4;
const bitsPerWord = 8;
const blocks = wordsMax * bitsPerWord + shownFlaws.length;
/** Height of the code, and radius of the spot, as shares of the photo's height. */
const codeShare = 0.05;
const spotShare = 0.06;

/** Photos that are found by this word have a head: a magenta spot, off the middle. */
const headWord = 'fakehead';
const head = { x: 0.88, y: 0.3 } as const;

/** From 1, as 0 stands for no word. */
const hashOf = (stem: string) => 1 + (Number.parseInt(sha256Hex(stem).slice(0, 4), 16) % 255);

/** An SVG element to draw over a photo of some words. */
export function codeOver(words: string, flaw: string, { widthPx, heightPx }: Size): string {
  const stems = wordsOf(words)
    .filter((word) => !isStopWord(word))
    .map(stemOf);
  const hashes = Array.from({ length: wordsMax }, (_, index) => (stems[index] ? hashOf(stems[index]) : 0));
  const bits = [
    ...hashes.flatMap((hash) => Array.from({ length: bitsPerWord }, (_, bit) => (hash >> bit) % 2 === 1)),
    ...shownFlaws.map((each) => each === flaw),
  ];
  const height = heightPx * codeShare;
  const block = widthPx / blocks;
  const strip = bits.map(
    (isLight, index) =>
      `<rect x="${index * block}" y="${heightPx - height}" width="${block + 1}" height="${height + 1}" fill="${isLight ? '#f4f4f4' : '#0c0c0c'}"/>`,
  );
  const spot = `<circle cx="${head.x * widthPx}" cy="${head.y * heightPx}" r="${spotShare * heightPx}" fill="#f0f"/>`;
  // A drawing has units of its own.
  const content = [...strip, ...(words.includes(headWord) ? [spot] : [])].join('');
  return `<svg width="100%" height="100%" viewBox="0 0 ${widthPx} ${heightPx}" preserveAspectRatio="none">${content}</svg>`;
}

/** Pixels of three channels, row by row. */
interface Pixels {
  readonly data: Uint8Array;
  readonly widthPx: number;
}

/** A photo on a sheet: its place in pixels. */
interface Place extends Size {
  readonly left: number;
  readonly top: number;
}

/** What can be seen in a photo. */
interface Seen {
  /** Whether a word is among those that it shows. */
  readonly shows: (stem: string) => boolean;
  readonly has: readonly ShownFlaw[];
  /** Middle of the spot, as shares of width and height; the photo's own middle where it has none. */
  readonly focal: { readonly x: number; readonly y: number };
}

/** Reads the photo in a cell of a contact sheet, where it stands whole and centred on grey. */
export function readCell(pixels: Pixels, left: number, top: number, cellPx: number): Seen {
  const place = placeOf(pixels, left, top, cellPx);
  const y = place.top + place.heightPx * (1 - codeShare / 2);
  const bits = Array.from({ length: blocks }, (_, block) => {
    const [red = 0] = at(pixels, place.left + ((block + 0.5) * place.widthPx) / blocks, y);
    return red > 128;
  });
  const hashes = Array.from({ length: wordsMax }, (_, word) =>
    bits
      .slice(word * bitsPerWord, (word + 1) * bitsPerWord)
      .reduce((hash, isLight, bit) => hash + (isLight ? 2 ** bit : 0), 0),
  );
  return {
    shows: (stem) => hashes.includes(hashOf(stem)),
    has: shownFlaws.filter((_, index) => bits[wordsMax * bitsPerWord + index]),
    focal: spotIn(pixels, place),
  };
}

/** Red, green and blue of a pixel. */
function at({ data, widthPx }: Pixels, x: number, y: number): readonly number[] {
  const from = (Math.round(y) * widthPx + Math.round(x)) * 3;
  return [...data.subarray(from, from + 3)];
}

function placeOf(pixels: Pixels, left: number, top: number, cellPx: number): Place {
  const along = [0.3, 0.42, 0.5, 0.61, 0.77].map((share) => share * cellPx);
  const isGrey = (x: number, y: number) => at(pixels, x, y).every((channel) => Math.abs(channel - 128) < 16);
  let row = 0;
  while (row < cellPx / 2 && along.every((x) => isGrey(left + x, top + cellPx - 1 - row))) row++;
  let column = 0;
  while (column < cellPx / 2 && along.every((y) => isGrey(left + column, top + y))) column++;
  return {
    left: left + column,
    top: top + row,
    widthPx: cellPx - 2 * column,
    heightPx: cellPx - 2 * row,
  };
}

function spotIn(pixels: Pixels, { left, top, widthPx, heightPx }: Place): Seen['focal'] {
  let [count, sumX, sumY] = [0, 0, 0];
  for (let y = 0; y < heightPx; y++)
    for (let x = 0; x < widthPx; x++) {
      const [red = 0, green = 0, blue = 0] = at(pixels, left + x, top + y);
      if (red < 200 || green > 80 || blue < 200) continue;
      count++;
      sumX += x;
      sumY += y;
    }
  if (count < 20) return { x: 0.5, y: 0.5 };
  return { x: sumX / count / widthPx, y: sumY / count / heightPx };
}
