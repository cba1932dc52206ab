/** Reads values from a provider's JSON and keeps what it says about an image; what is missing or of another type is left out. */

import type { Candidate, Description } from '../../../images/image';
import type { License } from '../../../images/record';
import { matchOf } from '../../match';
import type { Subject } from '../../understand';

/** A member of an object, or an empty object when it is not an object. */
export function record(value: unknown, ...path: readonly string[]): Readonly<Record<string, unknown>> {
  let current = value;
  for (const name of path) current = (current as Record<string, unknown> | null | undefined)?.[name];
  return typeof current === 'object' && current !== null ? (current as Record<string, unknown>) : {};
}

/** The members of an array, or of an object in the order of its names. */
export function list(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}

/** Text that is not empty, trimmed, well-formed, without control characters and those that reverse the direction of writing. */
export function text(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const clean = value
    .toWellFormed()
    .replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, ' ')
    .trim();
  return clean === '' ? undefined : clean;
}

/**
 * Text for readers: as `text`, and without tags, whether they are whole or come together only when others are taken out.
 * Strangers write it, and a page that shows it may be read by a template language next: no `{{`, `{%`, `<%`, `${` or `#{`
 * is in it.
 */
export function plainText(value: unknown): string | undefined {
  return text(
    text(value)
      ?.replace(/<[a-z!/?][^<>]*>/gi, ' ')
      .replace(/<(?=[a-z!/?])|[{<$#](?=[{%])|[}%](?=[}>])/gi, '$& ')
      .replace(/ {2,}/g, ' '),
  );
}

/** Longest name or title that is passed on, in characters: it stands in a header, beside others. */
const nameCharactersMax = 200;

/** Text that names a person or a work, cut where it is too long for a credit line. */
export function nameText(value: unknown): string | undefined {
  const whole = plainText(value);
  if (whole === undefined) return undefined;
  const characters = [...whole];
  return characters.length <= nameCharactersMax
    ? whole
    : `${characters.slice(0, nameCharactersMax - 1).join('')}…`;
}

/** A whole number above zero, such as a width. */
export function positive(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;
}

/** Drops the properties that are `undefined`, so that they are absent in the cache too. */
export function present<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

/** What an answer says of a photo, in the provider's own values. */
export interface Photo extends Described {
  readonly id: string | undefined;
  readonly width: unknown;
  readonly height: unknown;
  readonly sourceUrl: string | undefined;
  readonly providerName: string;
  readonly creator: string | undefined;
  readonly creatorUrl?: string | undefined;
  readonly landingUrl: string | undefined;
  readonly creditLine: string;
  /** `undefined` where it allows no cropping, or is unknown. */
  readonly license: License | undefined;
  readonly extra?: Readonly<Record<string, string>> | undefined;
}

/**
 * The photo as a candidate; none without an id, a URL or a licence.
 * @param rank place in the provider's answer, from 1
 * @param subject of the search; absent for an image that is requested by its id
 */
export function candidateIn(photo: Photo, rank: number, subject?: Subject): Candidate[] {
  const { id, sourceUrl, license, providerName, creator, creatorUrl, landingUrl, creditLine, extra } = photo;
  if (id === undefined || sourceUrl === undefined || !license) return [];
  const attribution = { providerName, creator, creatorUrl, landingUrl, license, creditLine };
  return [
    present({
      id,
      widthPx: positive(photo.width),
      heightPx: positive(photo.height),
      sourceUrl,
      attribution: present(attribution),
      description: describe(rank, photo, subject),
      extra,
    }),
  ];
}

const bytesMax = 400;
const tagsMax = 12;
const tagCharactersMax = 40;
/** Longest title and longest alternative text, in characters. */
const textCharactersMax = 150;

/** What an answer says about an image; whatever is missing, of another type or too long is left out or cut. */
export interface Described {
  readonly title?: unknown;
  readonly alt?: unknown;
  /** Language of the texts (BCP 47), where the provider has one. */
  readonly lang?: string | undefined;
  readonly tags?: readonly unknown[];
  readonly isFeatured?: boolean;
  readonly color?: unknown;
}

/**
 * A description of at most 400 bytes as JSON: tags are dropped from the last one on, then the alternative text and the
 * title are cut. How well it matches is judged before.
 * @param rank place in the provider's answer, from 1
 * @param subject of the search; absent for an image that is requested by its id
 */
export function describe(rank: number, described: Described, subject?: Subject): Description {
  const all = {
    title: plainText(described.title),
    alt: plainText(described.alt),
    tags: (described.tags ?? []).flatMap((tag) => plainText(tag) ?? []),
  };
  const color = text(described.color)?.toLowerCase();
  const fixed = present({
    rank,
    match: subject && matchOf(all, subject),
    isFeatured: described.isFeatured ? (true as const) : undefined,
    lang: described.lang,
    color: color !== undefined && /^#[0-9a-f]{6}$/.test(color) ? color : undefined,
  });
  let title = cut(all.title, textCharactersMax);
  let alt = cut(all.alt, textCharactersMax);
  let tags = all.tags.slice(0, tagsMax).flatMap((tag) => cut(tag, tagCharactersMax) ?? []);
  for (;;) {
    const description = present({ ...fixed, title, alt, tags: tags.length > 0 ? tags : undefined });
    // A place of two digits and the mark of a featured image may still be added.
    const fullest = JSON.stringify({ ...description, rank: 99, isFeatured: true });
    if (Buffer.byteLength(fullest) <= bytesMax) return description;
    if (tags.length > 0) tags = tags.slice(0, -1);
    else if (alt !== undefined) alt = shorter(alt);
    else title = shorter(title ?? '');
  }
}

/** About a tenth shorter; `undefined` when hardly anything is left. */
function shorter(whole: string): string | undefined {
  const characters = [...whole];
  return characters.length < 10
    ? undefined
    : characters.slice(0, Math.floor(characters.length * 0.9)).join('');
}

function cut(whole: string | undefined, charactersMax: number): string | undefined {
  return whole === undefined ? undefined : [...whole].slice(0, charactersMax).join('');
}
