/** Invents photos for any query. Equal words give equal photos. A photo is drawn when it is fetched. */

import { drawScene } from '@image-redirect/scene';
import sharp from 'sharp';
import { createExpiringCache } from '../../lambda/base/expiring-cache';
import { hashSha256 } from '../../lambda/base/hash';
import { parseJson } from '../../lambda/base/parse';
import { capitalise } from '../../lambda/base/text';
import type { Size } from '../../lambda/requests/rendition';
import { isEnglish } from '../../lambda/stock/dictionary/dictionary';
import { splitIntoWords } from '../../lambda/stock/words';

/** A photo as a search lists it. */
export interface FakePhoto extends Size {
  /** Digits. The same photo always has the same number. */
  readonly number: string;
  /** Name of the photo in a URL, from which it can be drawn after a restart. */
  readonly token: string;
  readonly words: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly photographer: string;
  /** The photographer's name in a URL. */
  readonly handle: string;
}

/** The shape that a search asks for. */
export type Orientation = 'landscape' | 'portrait' | 'square' | 'any';

const photographers = ['Maren Quist', 'Ilja Sandvik', 'Léonie Vasseur', 'Paloma Iriarte'];
const places = ['at dawn', 'in the evening', 'after the rain', 'from above', 'in spring', 'by the road'];
const shapes = ['landscape', 'portrait', 'square'] as const;
/** Short sides, two thirds of the long ones. They are large enough for any request, and quickly drawn. */
const shortSidesPx = [2_000, 2_130, 2_160, 2_250, 2_400];

const forEverMs = Number.POSITIVE_INFINITY;
/** The last drawings, because drawing a photo on a busy machine may take longer than the service waits. */
const drawings = createExpiringCache<Promise<Buffer>>(24);

/** The photos of one provider, the same after a restart. */
export class Photos {
  /** Photos that searches have found. */
  private readonly foundPhotos = createExpiringCache<FakePhoto>(20_000);

  constructor(private readonly provider: string) {}

  /** Finds photos for English words. Other words are left out; if all words are required, nothing is found. */
  search(words: string, orientation: Orientation, count: number, requiresAll = false): readonly FakePhoto[] {
    const allWords = splitIntoWords(words);
    const english = allWords.filter((word) => isEnglish(word) || /^\d/.test(word));
    if (english.length === 0 || (requiresAll && english.length < allWords.length)) return [];
    return Array.from({ length: count }, (_, index) => {
      const photo = this.inventPhoto(english.join(' '), orientation, index);
      this.foundPhotos.set(photo.number, photo, forEverMs);
      return photo;
    });
  }

  /** Lists the photo with a number. The list is empty if no search has found it since the start. */
  listByNumber(number: string): readonly FakePhoto[] {
    const photo = this.foundPhotos.get(number, 0);
    return photo ? [photo] : [];
  }

  /** Finds the photo with a token or a number. After a restart any photo replaces an unknown one. */
  findByName(name: string): FakePhoto {
    const [found] = this.listByNumber(name);
    if (found) return found;
    const position = parseJson(Buffer.from(name, 'base64url').toString());
    const [words, orientation, index] = Array.isArray(position) ? position : [];
    return typeof words === 'string'
      ? this.inventPhoto(words, orientation, index)
      : this.inventPhoto('landscape', 'landscape', 0);
  }

  private inventPhoto(words: string, orientation: Orientation, index: number): FakePhoto {
    const hash = hashSha256(JSON.stringify([this.provider, words, orientation, index]));
    const number = Number.parseInt(hash.slice(0, 12), 16) % 100_000_000;
    const pick = <T>(list: readonly T[]): T => list[number % list.length] as T;
    const photographer = pick(photographers);
    const shortSidePx = pick(shortSidesPx);
    const shape = orientation === 'any' ? pick(shapes) : orientation;
    return {
      number: String(number),
      token: Buffer.from(JSON.stringify([words, orientation, index])).toString('base64url'),
      words,
      title: `${capitalise(words)} ${pick(places)}`,
      tags: [...words.split(' '), 'outdoors'],
      widthPx: shape === 'landscape' ? 1.5 * shortSidePx : shortSidePx,
      heightPx: shape === 'portrait' ? 1.5 * shortSidePx : shortSidePx,
      photographer,
      handle: photographer.toLowerCase().replace(/[^a-z]/g, ''),
    };
  }
}

/** Draws a photo as a JPEG of exactly the size of a crop. */
export function drawPhoto({ number, words, widthPx, heightPx }: FakePhoto, crop: Size): Promise<Buffer> {
  const key = JSON.stringify([number, crop.widthPx, crop.heightPx]);
  const draw = () =>
    sharp(Buffer.from(drawScene({ words, seed: number, widthPx, heightPx })))
      .resize(crop.widthPx, crop.heightPx, { fit: 'cover', kernel: 'linear' })
      .jpeg({ quality: 82 })
      .toBuffer();
  const drawing = drawings.get(key, 0) ?? draw();
  drawings.set(key, drawing, forEverMs);
  return drawing;
}
