/** Invented photos for any query. The same words give the same photos, which are drawn when fetched. */

import { drawScene } from '@image-redirect/scene';
import sharp from 'sharp';
import { createExpiringCache } from '../../lambda/base/expiring-cache';
import { sha256Hex } from '../../lambda/base/sha256-hex';
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
  /** Whether it is a map, a scan, a logo or the like, and no photo of the words. */
  readonly isMisfit: boolean;
  readonly photographer: string;
  /** The photographer as it stands in a URL. */
  readonly handle: string;
}

/** The shape that a search is limited to, if any. */
export type Orientation = 'landscape' | 'portrait' | 'square' | 'any';

const photographers =
  'Maren Quist, Ilja Sandvik, Odile Marchetti, Tuva Holm, Jonas Ekeby, Aoife Brannigan, Runa Teig, Benedikt Osei, ' +
  'Yumiko Harada, Léonie Vasseur, Matteo Brusadin, Saoirse Kinsella, Emeka Lindqvist, Paloma Iriarte, Anselm Grote';
const names = photographers.split(', ');
const places = ['at dawn', 'in the evening', 'after the rain', 'from above', 'in spring', 'by the road'];
/** Short sides, each two thirds of its long one: large enough for any request, and quickly drawn. */
const shortSidesPx = [2_000, 2_130, 2_160, 2_250, 2_400];

/** Captions of misfits, around the words of the search. */
const misfits: Readonly<Record<string, readonly [before: string, after: string]>> = {
  map: ['Location map of ', ''],
  scan: ['', ', page 12 of a guide book'],
  logo: ['Logo of the ', ' society'],
  engraving: ['', ', engraving of 1840'],
  sign: ['Sign at ', ''],
};
/** The captions of an archive in turn: `all`, `some` or `none` of the words, or a misfit, in mixed order. */
const archive =
  'some map all none all all scan all logo all some engraving all none all sign all some all'.split(' ');
/** The captions of photographers' own sites: photos only, in a good order. */
const portfolio = 'all all some all all all none all some all'.split(' ');

/** Most words of a search in one caption: a search that requires more of them finds nothing. */
const captionWordsMax = 4;
const forEverMs = Number.POSITIVE_INFINITY;
/** The last drawn photos: on a busy machine, drawing one may take longer than the service waits. */
const drawn = createExpiringCache<Promise<Buffer>>(24);

/** The photos of one provider. */
export class Photos {
  /** The last that were found. */
  private readonly listed = createExpiringCache<Photo>(20_000);

  /** @param isArchive whether the provider collects what others have published, misfits included */
  constructor(
    private readonly provider: string,
    private readonly isArchive: boolean,
  ) {}

  /** Finds photos for words, the best first; none for words that are not English. */
  search(words: string, orientation: Orientation, count: number, requiresAll = false): readonly Photo[] {
    const searched = wordsOf(words);
    const english = searched.filter((word) => isEnglish(word) || /^(?:fake|\d)/.test(word));
    const isTooMuch = english.length < searched.length || english.length > captionWordsMax;
    if (english.length === 0 || (requiresAll && isTooMuch)) return [];
    const caption = english.slice(0, captionWordsMax).join(' ');
    return Array.from({ length: count }, (_, index) => {
      const photo = this.photo(caption, orientation, index);
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
    const hash = Buffer.from(sha256Hex(JSON.stringify([this.provider, words, orientation, index])), 'hex');
    const pick = <T>(from: readonly T[], at: number): T => from[hash.readUInt16BE(at) % from.length] as T;
    const photographer = pick(names, 0);
    const short = pick(shortSidesPx, 2);
    const long = 1.5 * short;
    const shape = orientation === 'any' ? pick(['landscape', 'portrait', 'square'] as const, 4) : orientation;
    const number = hash.readUInt32BE(8) % 100_000_000;
    const kinds = this.isArchive ? archive : portfolio;
    const kind = kinds[index % kinds.length] as string;
    return {
      number,
      token: Buffer.from(JSON.stringify([words, orientation, index])).toString('base64url'),
      words,
      ...captionOf(kind, words, number),
      isMisfit: kind in misfits,
      widthPx: shape === 'landscape' ? long : short,
      heightPx: shape === 'portrait' ? long : short,
      photographer,
      handle: photographer.toLowerCase().replace(/[^a-z]/g, ''),
    };
  }
}

/** Title and tags of a photo. */
function captionOf(kind: string, words: string, number: number) {
  const all = words.split(' ');
  const misfit = misfits[kind];
  if (misfit) return { title: misfit.join(words), tags: [kind, ...all.slice(0, 1)] };
  if (kind === 'none') return { title: `DSC_${String(number % 10_000).padStart(4, '0')}`, tags: ['photo'] };
  const shown = kind === 'all' || all.length === 1 ? all : all.slice(0, -1);
  const title = `${shown.join(' ')} ${places[number % places.length]}`;
  return { title: title.charAt(0).toUpperCase() + title.slice(1), tags: [...shown, 'outdoors'] };
}

/** Draws a photo as a JPEG in exactly the size of a crop. */
export function drawPhoto({ number, words, widthPx, heightPx }: Photo, crop: Size): Promise<Buffer> {
  const key = JSON.stringify([number, crop.widthPx, crop.heightPx]);
  const draw = () =>
    sharp(Buffer.from(drawScene({ words, seed: String(number), widthPx, heightPx })))
      .resize(crop.widthPx, crop.heightPx, { fit: 'cover', kernel: 'linear' })
      .jpeg({ quality: 82 })
      .toBuffer();
  const made = drawn.get(key, 0) ?? draw();
  drawn.set(key, made, forEverMs);
  return made;
}

/** A size scaled by a factor, in whole pixels. */
export function scaled({ widthPx, heightPx }: Size, factor: number): Size {
  return { widthPx: Math.round(widthPx * factor), heightPx: Math.max(1, Math.round(heightPx * factor)) };
}

/** The size that the parameters `w` and `h` ask for. */
export function cropOf(photo: Size, parameters: URLSearchParams): Size {
  const widthPx = Number(parameters.get('w') ?? 0);
  const heightPx = Number(parameters.get('h') ?? 0);
  if (widthPx > 0 && heightPx > 0) return { widthPx, heightPx };
  return widthPx > 0 ? scaled(photo, widthPx / photo.widthPx) : photo;
}
