/** Invented photos for any query: the same words always give the same photos of a provider, with sizes, titles and photographers. */

import { sha256Hex } from '../../lambda/requests/image-request';
import { captionOf } from './captions';

export interface FakeProviderPhoto {
  /** A number that stays with the photo. */
  readonly number: number;
  readonly words: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly widthPx: number;
  readonly heightPx: number;
  readonly photographer: string;
  /** The photographer as it stands in a URL. */
  readonly handle: string;
  /** `broken` photos are delivered as bytes that no program can read. */
  readonly flaw: 'none' | 'broken';
}

export type FakeProviderOrientation = 'landscape' | 'portrait' | 'square' | 'any';

const photographers = [
  'Maren Quist',
  'Ilja Sandvik',
  'Odile Marchetti',
  'Tuva Holm',
  'Jonas Ekeby',
  'Aoife Brannigan',
  'Runa Teig',
  'Benedikt Osei',
  'Yumiko Harada',
  'Léonie Vasseur',
  'Matteo Brusadin',
  'Saoirse Kinsella',
  'Emeka Lindqvist',
  'Paloma Iriarte',
  'Anselm Grote',
  'Zofia Wrona',
];
// Large enough for every size that can be asked for, small enough to be drawn quickly.
const sizes = [
  [3200, 2133],
  [3840, 2160],
  [3000, 2000],
  [3600, 2400],
  [3000, 2250],
] as const;
/** Whose photos they are. */
export interface Collection {
  readonly provider: string;
  /** Whether it gathers what others have published, misfits included. */
  readonly isArchive: boolean;
}
/** Photos that were named, by provider and number, so that they can be asked for by their number. */
const named = new Map<string, FakeProviderPhoto>();
const namedMax = 20_000;

/** Photos that match some words, best first. Special words ask for flaws: `fakesmall`, `fakebroken`. */
export function photosFor(
  collection: Collection,
  words: string,
  orientation: FakeProviderOrientation,
  count: number,
): readonly FakeProviderPhoto[] {
  // Of the alternatives of a question, the first names all words.
  const plain = words.split('|')[0]?.replace(/[()]/g, '').trim() ?? words;
  return Array.from({ length: count }, (_, index) => {
    const photo = photoOf(collection, plain, orientation, index);
    if (named.size >= namedMax) named.delete(named.keys().next().value as string);
    named.set(`${collection.provider} ${photo.number}`, photo);
    return photo;
  });
}

/** A photo that was named since the start, by its number. */
export function photoByNumber(provider: string, number: number): FakeProviderPhoto | undefined {
  return named.get(`${provider} ${number}`);
}

function photoOf(
  { provider, isArchive }: Collection,
  words: string,
  orientation: FakeProviderOrientation,
  index: number,
): FakeProviderPhoto {
  const hash = Buffer.from(sha256Hex(JSON.stringify([provider, words, orientation, index])), 'hex');
  const pick = <T>(from: readonly T[], at: number): T => from[hash.readUInt16BE(at) % from.length] as T;
  const photographer = pick(photographers, 0);
  const [long, short] = words.includes('fakesmall') ? ([320, 200] as const) : pick(sizes, 2);
  const shape = orientation === 'any' ? pick(['landscape', 'portrait', 'square'] as const, 4) : orientation;
  const isBroken = words.includes('fakebroken') && index % 2 === 0;
  const number = hash.readUInt32BE(8) % 100_000_000;
  return {
    number,
    words,
    ...captionOf(isArchive, words, index, number),
    widthPx: shape === 'landscape' ? long : short,
    heightPx: shape === 'portrait' ? long : short,
    photographer,
    handle: photographer.toLowerCase().replace(/[^a-z]/g, ''),
    flaw: isBroken || words.includes('fakeallbroken') ? 'broken' : 'none',
  };
}

/** A photo as a piece of a URL, so that a fake provider need not remember what it named. */
export function tokenOf({ number, words, widthPx, heightPx, flaw }: FakeProviderPhoto): string {
  return Buffer.from(JSON.stringify([number, words, widthPx, heightPx, flaw])).toString('base64url');
}

/** What has to be drawn for a token. */
export type Subject = Pick<FakeProviderPhoto, 'number' | 'words' | 'widthPx' | 'heightPx' | 'flaw'>;

export function subjectOf(token: string): Subject | undefined {
  try {
    const [number, words, widthPx, heightPx, flaw] = JSON.parse(Buffer.from(token, 'base64url').toString());
    return { number, words, widthPx, heightPx, flaw };
  } catch {
    return undefined;
  }
}
