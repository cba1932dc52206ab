/** Invented photos for any query. The same words give the same photos, which are drawn when fetched. */

import { drawScene } from '@image-redirect/scene';
import sharp from 'sharp';
import { createExpiringCache } from '../../lambda/base/expiring-cache';
import { sha256Hex } from '../../lambda/base/hash';
import type { Size } from '../../lambda/requests/rendition';
import { isEnglish } from '../../lambda/stock/dictionary/dictionary';
import { wordsOf } from '../../lambda/stock/words';

/** A photo as a search lists it. */
export interface Photo extends Size {
  /** A number that stays with the photo. */
  readonly number: number;
  /** Name of the photo in a URL, from which it can be drawn after a restart. */
  readonly token: string;
  /** Words for what it shows. */
  readonly words: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly photographer: string;
  /** The photographer as it stands in a URL. */
  readonly handle: string;
}

/** The shape that a search is limited to, if any. */
export type Orientation = 'landscape' | 'portrait' | 'square' | 'any';

const photographers = ['Maren Quist', 'Ilja Sandvik', 'Léonie Vasseur', 'Paloma Iriarte'];
const places = ['at dawn', 'in the evening', 'after the rain', 'from above', 'in spring', 'by the road'];
const shapes = ['landscape', 'portrait', 'square'] as const;
/** Short sides, each two thirds of its long one: large enough for any request, and quickly drawn. */
const shortSidesPx = [2_000, 2_130, 2_160, 2_250, 2_400];

const forEverMs = Number.POSITIVE_INFINITY;
/** The last drawn photos: on a busy machine, drawing one may take longer than the service waits. */
const drawn = createExpiringCache<Promise<Buffer>>(24);

/** The photos of one provider. */
export class Photos {
  /** The last that were found. */
  private readonly listed = createExpiringCache<Photo>(20_000);

  constructor(private readonly provider: string) {}

  /** Finds photos for words that are English, or for those of them that are where not all are required. */
  search(words: string, orientation: Orientation, count: number, requiresAll = false): readonly Photo[] {
    const searched = wordsOf(words);
    const english = searched.filter((word) => isEnglish(word) || /^(?:fake|\d)/.test(word));
    if (english.length === 0 || (requiresAll && english.length < searched.length)) return [];
    return Array.from({ length: count }, (_, index) => {
      const photo = this.photo(english.join(' '), orientation, index);
      this.listed.set(String(photo.number), photo, forEverMs);
      return photo;
    });
  }

  /** A photo that was found since the start. */
  byNumber(number: number): Photo | undefined {
    return this.listed.get(String(number), 0);
  }

  /** A photo by its token; `undefined` for any other text. */
  byToken(token: string): Photo | undefined {
    try {
      const [words, orientation, index] = JSON.parse(Buffer.from(token, 'base64url').toString());
      return this.photo(words, orientation, index);
    } catch {
      return undefined;
    }
  }

  /** The photo at a place of a search. */
  photo(words: string, orientation: Orientation, index: number): Photo {
    const hash = sha256Hex(JSON.stringify([this.provider, words, orientation, index]));
    const number = Number.parseInt(hash.slice(0, 12), 16) % 100_000_000;
    const one = <T>(list: readonly T[]): T => list[number % list.length] as T;
    const photographer = one(photographers);
    const short = one(shortSidesPx);
    const shape = orientation === 'any' ? one(shapes) : orientation;
    return {
      number,
      token: Buffer.from(JSON.stringify([words, orientation, index])).toString('base64url'),
      words,
      title: `${words.charAt(0).toUpperCase()}${words.slice(1)} ${one(places)}`,
      tags: [...words.split(' '), 'outdoors'],
      widthPx: shape === 'landscape' ? 1.5 * short : short,
      heightPx: shape === 'portrait' ? 1.5 * short : short,
      photographer,
      handle: photographer.toLowerCase().replace(/[^a-z]/g, ''),
    };
  }
}

/** Draws a photo as a JPEG in exactly the size of a crop. */
export function drawPhoto({ number, words, widthPx, heightPx }: Photo, crop: Size): Promise<Buffer> {
  const key = JSON.stringify([number, crop.widthPx, crop.heightPx]);
  const draw = () =>
    sharp(Buffer.from(drawScene({ words, seed: String(number), widthPx, heightPx })))
      .resize(crop.widthPx, crop.heightPx, { fit: 'cover', kernel: 'linear' })
      .jpeg({ quality: 82 })
      .toBuffer();
  const drawing = drawn.get(key, 0) ?? draw();
  drawn.set(key, drawing, forEverMs);
  return drawing;
}

/** A size scaled by a factor, in whole pixels. */
export function scaleSize({ widthPx, heightPx }: Size, factor: number): Size {
  return { widthPx: Math.round(widthPx * factor), heightPx: Math.max(1, Math.round(heightPx * factor)) };
}

/** The size that the parameters `w` and `h` ask for. */
export function cropOf(photo: Size, parameters: URLSearchParams): Size {
  const widthPx = Number(parameters.get('w') ?? 0);
  const heightPx = Number(parameters.get('h') ?? 0);
  if (widthPx > 0 && heightPx > 0) return { widthPx, heightPx };
  return widthPx > 0 ? scaleSize(photo, widthPx / photo.widthPx) : photo;
}
