/** A judge and rewriter for the local service: it reads the code that fake providers draw into their photos, and no title. */

import sharp from 'sharp';
import { sha256Hex } from '../../requests/image-request';
import type { Flaw } from '../judgement';
import type { AskModel } from '../look';

/** Blocks of the code along the lower edge of a fake photo: 16 of a hash of its words, 3 of its flaws. */
const hashBlocks = 16;
const flawBlocks = ['people', 'text', 'not_photo'] as const satisfies readonly Flaw[];
export const codeBlocks = hashBlocks + flawBlocks.length;
/** Height of the code as a share of the photo's. */
export const codeShare = 0.05;

const cellPx = 320;

/** The code of a photo that shows some words: one bit a block. */
export function codeOf(words: string, has: readonly Flaw[]): readonly boolean[] {
  const hash = Number.parseInt(sha256Hex(wordsOf(words).sort().join(' ')).slice(0, 4), 16);
  const bits = Array.from({ length: hashBlocks }, (_, bit) => ((hash >> bit) & 1) === 1);
  return [...bits, ...flawBlocks.map((flaw) => has.includes(flaw))];
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

export const askFakeModel: AskModel = async ({ text, image, name }) => {
  const { query, images } = JSON.parse(text) as { readonly query: string; readonly images?: number };
  if (name === 'searches' || !image) {
    const words = wordsOf(query);
    return JSON.stringify({ searches: [words.slice(0, 3).join(' '), words[0] ?? 'photo'] });
  }
  const { data, info } = await sharp(image.bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
  const pixel = (x: number, y: number) => data[Math.round(y) * info.width + Math.round(x)] ?? 128;
  const words = wordsOf(query);
  const exact = codeOf(words.join(' '), []).slice(0, hashBlocks).join();
  const partial = codeOf(words.slice(0, -1).join(' '), []).slice(0, hashBlocks).join();
  const seen = Array.from({ length: images ?? 0 }, (_, index) => {
    const code = readCode(pixel, (index % 4) * cellPx, Math.floor(index / 4) * cellPx);
    const hash = code.slice(0, hashBlocks).join();
    const fit = hash === exact ? 'exact' : hash === partial && words.length > 1 ? 'partial' : 'loose';
    const has = flawBlocks.filter((_flaw, bit) => code[hashBlocks + bit]);
    return { n: index + 1, fit, has, focal: { x: 0.5, y: 0.4 }, calm: code[0] ? 'left' : 'right' };
  });
  const rank = ({ fit, has }: (typeof seen)[number]) =>
    ['exact', 'partial', 'loose'].indexOf(fit) * 8 + has.length;
  return JSON.stringify({
    images: seen.sort((a, b) => rank(a) - rank(b) || a.n - b.n),
    alt: `A photograph that shows ${query}`.slice(0, 125),
  });
};

/** The code of the image in a cell, which stands whole and centred on grey. */
function readCode(pixel: (x: number, y: number) => number, left: number, top: number): readonly boolean[] {
  const isGrey = (x: number, y: number) => Math.abs(pixel(x, y) - 128) < 6;
  const rowIsGrey = (y: number) =>
    [0.3, 0.42, 0.5, 0.61, 0.77].every((share) => isGrey(left + share * cellPx, y));
  const columnIsGrey = (x: number) =>
    [0.3, 0.42, 0.5, 0.61, 0.77].every((share) => isGrey(x, top + share * cellPx));
  let bottom = cellPx - 1;
  while (bottom > cellPx / 2 && rowIsGrey(top + bottom)) bottom--;
  let start = 0;
  while (start < cellPx / 2 && columnIsGrey(left + start)) start++;
  const height = 2 * (bottom + 1) - cellPx;
  const width = cellPx - 2 * start;
  const y = top + bottom - (codeShare * height) / 2;
  return Array.from({ length: codeBlocks }, (_, block) => {
    const x = left + start + ((block + 0.5) * width) / codeBlocks;
    return pixel(x, y) > 128;
  });
}
