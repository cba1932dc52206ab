/** Invented photos for any query: the same words always give the same photos of a provider, which are drawn when they are fetched. */

import { drawScene } from '@image-redirect/scene';
import sharp from 'sharp';
import { createExpiringCache } from '../../lambda/base/expiring-cache';
import { sha256Hex } from '../../lambda/requests/image-request';
import type { Size } from '../../lambda/requests/rendition';
import { isEnglish } from '../../lambda/stock/dictionary/dictionary';
import { wordsOf } from '../../lambda/stock/words';
import { type FakeProviderReply, faultFor } from './fake-provider';

/** What has to be drawn for a photo. */
export interface Subject extends Size {
  /** A number that stays with the photo. */
  readonly number: number;
  /** What it shows. */
  readonly words: string;
  /** Delivered as bytes that no program can read. */
  readonly isBroken: boolean;
}

/** A photo as a search lists it. */
export interface Photo extends Subject {
  readonly title: string;
  readonly tags: readonly string[];
  readonly photographer: string;
  /** The photographer as it stands in a URL. */
  readonly handle: string;
}

/** The shape that a search is limited to, if any. */
export type Orientation = 'landscape' | 'portrait' | 'square' | 'any';

/** Whose photos they are. */
export interface Collection {
  readonly provider: string;
  /** Whether it gathers what others have published, misfits included. */
  readonly isArchive: boolean;
}

const photographers =
  'Maren Quist, Ilja Sandvik, Odile Marchetti, Tuva Holm, Jonas Ekeby, Aoife Brannigan, Runa Teig, Benedikt Osei, ' +
  'Yumiko Harada, Léonie Vasseur, Matteo Brusadin, Saoirse Kinsella, Emeka Lindqvist, Paloma Iriarte, Anselm Grote, ' +
  'Zofia Wrona';
const names = photographers.split(', ');

/** Large enough for every size that a request may have, small enough to be drawn quickly. */
const sizesPx = [
  [3200, 2133],
  [3840, 2160],
  [3000, 2000],
  [3600, 2400],
  [3000, 2250],
] as const;

/** What stands in a caption: every word, some words, none; or something else than a photo of what is looked for. */
type Kind = 'all' | 'some' | 'none' | keyof typeof misfits;

const misfits = {
  map: (words: string) => `Location map of ${words}`,
  scan: (words: string) => `${words}, page 12 of a guide book`,
  logo: (words: string) => `Logo of the ${words} society`,
  engraving: (words: string) => `${words}, engraving of 1840`,
  sign: (words: string) => `Sign at ${words}`,
  woman: (words: string) => `A woman and ${words}`,
} as const;

/** Collections that gather everything: scans, maps and logos stand among the photos, and the best is not always first. */
const archive =
  'some map all none all woman all scan all logo all some engraving all none all sign all some all'.split(
    ' ',
  ) as readonly Kind[];
/** Photographers' own sites: photos only, in a good order. */
const portfolio = 'all all some all woman all none all some all'.split(' ') as readonly Kind[];

const places = ['at dawn', 'in the evening', 'after the rain', 'from above', 'in spring', 'by the road'];

const forEverMs = Number.POSITIVE_INFINITY;
/** The last photos that were found, by provider and number. */
const listed = createExpiringCache<Photo>(20_000);

/** The last drawn photos, as a provider stores its photos: on a busy machine one takes longer to draw than the service waits. */
const drawn = createExpiringCache<Promise<Buffer>>(24);

/** Words that a photo of an archive has at most of a search, so that more of them find nothing together. */
const captionWordsMax = 4;

/**
 * Photos that match some words, best first; none for words that no English text has. An archive requires all words, a
 * portfolio any of them. Special words: `fakesmall` finds small photos, `fakebroken` some that no program can read.
 * @param requires whether all words are required, where the archive has searches that differ in it
 */
export function photosFor(
  collection: Collection,
  words: string,
  orientation: Orientation,
  count: number,
  requires: 'all' | 'any' = collection.isArchive ? 'all' : 'any',
): readonly Photo[] {
  const searchedWords = wordsOf(words);
  const english = searchedWords.filter((word) => isEnglish(word) || /^(?:fake|\d)/.test(word));
  const isFound =
    requires === 'any'
      ? english.length > 0
      : english.length === searchedWords.length && english.length <= captionWordsMax;
  if (!isFound) return [];
  const caption = english.slice(0, captionWordsMax).join(' ');
  return Array.from({ length: count }, (_, index) => {
    const photo = photoOf(collection, caption, orientation, index);
    listed.set(`${collection.provider} ${photo.number}`, photo, forEverMs);
    return photo;
  });
}

/** How a provider names the parts of a search. */
export interface SearchForm {
  readonly collection: Collection;
  /** Name of the parameter with the words. */
  readonly words: string;
  readonly perPage: { readonly default: number; readonly max: number };
  readonly orientations: Readonly<Record<string, Orientation>>;
  /** Replies to special words. */
  readonly faults: Readonly<Record<string, FakeProviderReply>>;
}

/** The reply to a search: a fault that its words ask for, or what `reply` makes of its photos. */
export function searched(
  { collection, words, perPage, orientations, faults }: SearchForm,
  parameters: URLSearchParams,
  reply: (photos: readonly Photo[]) => FakeProviderReply,
): FakeProviderReply {
  const search = parameters.get(words) ?? '';
  const count = Math.min(Number(parameters.get('per_page') ?? perPage.default), perPage.max);
  const orientation = orientations[parameters.get('orientation') ?? ''] ?? 'any';
  return faultFor(search, faults) ?? reply(photosFor(collection, search, orientation, count));
}

/** A photo that was found since the start, by its number. */
export function photoByNumber({ provider }: Collection, number: number): Photo | undefined {
  return listed.get(`${provider} ${number}`, 0);
}

function photoOf(
  { provider, isArchive }: Collection,
  words: string,
  orientation: Orientation,
  index: number,
): Photo {
  const hash = Buffer.from(sha256Hex(JSON.stringify([provider, words, orientation, index])), 'hex');
  const pick = <T>(from: readonly T[], at: number): T => from[hash.readUInt16BE(at) % from.length] as T;
  const photographer = pick(names, 0);
  const [long, short] = words.includes('fakesmall') ? ([320, 200] as const) : pick(sizesPx, 2);
  const shape = orientation === 'any' ? pick(['landscape', 'portrait', 'square'] as const, 4) : orientation;
  const number = hash.readUInt32BE(8) % 100_000_000;
  const kinds = isArchive ? archive : portfolio;
  const kind = kinds[index % kinds.length] ?? 'all';
  return {
    number,
    words,
    ...captionOf(kind, words, number),
    widthPx: shape === 'landscape' ? long : short,
    heightPx: shape === 'portrait' ? long : short,
    photographer,
    handle: photographer.toLowerCase().replace(/[^a-z]/g, ''),
    isBroken: words.includes('fakebroken') && index % 2 === 0,
  };
}

/** The caption of a photo, as archives and photographers write them. */
function captionOf(kind: Kind, words: string, number: number) {
  const all = words.split(' ');
  if (kind === 'none') return { title: `DSC_${String(number % 10_000).padStart(4, '0')}`, tags: ['photo'] };
  if (kind in misfits) {
    const misfit = kind as keyof typeof misfits;
    return { title: capital(misfits[misfit](words)), tags: [misfit, ...all.slice(0, 1)] };
  }
  const shown = kind === 'all' || all.length === 1 ? all : all.slice(0, -1);
  return {
    title: capital(`${shown.join(' ')} ${places[number % places.length]}`),
    tags: [...shown, 'outdoors'],
  };
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Whether a photo shows something else than what was looked for. */
export function isMisfit({ tags }: Photo): boolean {
  return tags.some((tag) => tag !== 'woman' && tag in misfits);
}

/** A photo as a piece of a URL, from which it can be drawn after a restart, too. */
export function tokenOf({ number, words, widthPx, heightPx, isBroken }: Photo): string {
  return Buffer.from(JSON.stringify([number, words, widthPx, heightPx, isBroken])).toString('base64url');
}

/** What has to be drawn for a token; `undefined` for any other text. */
export function subjectOf(token: string | undefined): Subject | undefined {
  try {
    const [number, words, widthPx, heightPx, isBroken] = JSON.parse(
      Buffer.from(token ?? '', 'base64url').toString(),
    );
    return { number, words, widthPx, heightPx, isBroken };
  } catch {
    return undefined;
  }
}

/**
 * A JPEG of a photo.
 * @param crop the exact size to cover; the whole photo in its own size by default
 */
export function drawPhoto(subject: Subject, crop: Size = subject): Promise<Buffer> {
  const { number, words, widthPx, heightPx, isBroken } = subject;
  const key = JSON.stringify([number, words, widthPx, heightPx, isBroken, crop.widthPx, crop.heightPx]);
  const photo = drawn.get(key, 0) ?? draw(subject, crop);
  drawn.set(key, photo, forEverMs);
  return photo;
}

async function draw({ number, words, widthPx, heightPx, isBroken }: Subject, crop: Size): Promise<Buffer> {
  if (isBroken) return Buffer.from('\xff\xd8\xff\xe0 but nothing that follows', 'latin1');
  const svg = drawScene({ words, seed: String(number), widthPx, heightPx });
  // Rasterised in the size of the crop, whatever the size of the drawing.
  return sharp(Buffer.from(svg))
    .resize(crop.widthPx, crop.heightPx, { fit: 'cover', kernel: 'linear' })
    .jpeg({ quality: 82 })
    .toBuffer();
}

/** A photo scaled to a width, with the height its proportions give. */
export function scaledTo({ widthPx, heightPx }: Size, wantedPx: number): Size {
  return { widthPx: wantedPx, heightPx: Math.max(1, Math.round((heightPx * wantedPx) / widthPx)) };
}

/** The size that `w` and `h` name, as image servers read them. */
export function cropOf(parameters: URLSearchParams, subject: Size): Size {
  const widthPx = Number(parameters.get('w') ?? 0);
  const heightPx = Number(parameters.get('h') ?? 0);
  if (widthPx > 0 && heightPx > 0) return { widthPx, heightPx };
  return widthPx > 0 ? scaledTo(subject, widthPx) : subject;
}
