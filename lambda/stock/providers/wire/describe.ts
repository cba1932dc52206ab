/** What is kept of what a provider says about an image. */

import type { Description } from '../../../images/image';
import { matchOf } from '../../match';
import type { Subject } from '../../understand';
import { plainText, text } from './fields';

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

/** Drops the properties that are `undefined`, so that they are absent in the cache too. */
export function present<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
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
  const tags = all.tags.slice(0, tagsMax).map((tag) => cut(tag, tagCharactersMax));
  for (;;) {
    const description = {
      ...fixed,
      ...(title && { title }),
      ...(alt && { alt }),
      ...(tags.length > 0 && { tags }),
    };
    // A place of two digits and the mark of a featured image may still be added.
    const fullest = JSON.stringify({ ...description, rank: 99, isFeatured: true });
    if (Buffer.byteLength(fullest) <= bytesMax) return description;
    if (tags.length > 0) tags.pop();
    else if (alt) alt = shorter(alt);
    else title = shorter(title);
  }
}

/** About a tenth shorter; empty when hardly anything is left. */
function shorter(whole: string): string {
  const { length } = [...whole];
  return length < 10 ? '' : cut(whole, Math.floor(length * 0.9));
}

function cut(whole: string | undefined, charactersMax: number): string {
  return [...(whole ?? '')].slice(0, charactersMax).join('');
}
