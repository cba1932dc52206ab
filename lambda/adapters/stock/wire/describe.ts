/** Keeps what a provider says about an image, in few bytes: it is stored for every candidate. */

import type { Description } from '../../../domain/image/image';
import { present, text } from './read-json';

const bytesMax = 400;
const tagsMax = 12;
const tagCharactersMax = 40;
/** Longest title and longest alternative text, in characters. */
const textCharactersMax = 150;

/** What an answer says about an image; whatever is missing, of another type or too long is left out or cut. */
export interface Described {
  readonly title?: unknown;
  readonly alt?: unknown;
  readonly tags?: readonly unknown[];
  readonly isFeatured?: boolean;
  readonly color?: unknown;
  readonly blurHash?: unknown;
}

/**
 * A description of at most 400 bytes as JSON: tags are dropped from the last one on, then the alternative text and the
 * title are cut.
 * @param rank place in the provider's answer, from 1
 */
export function describe(rank: number, described: Described): Description {
  const color = text(described.color)?.toLowerCase();
  const blurHash = text(described.blurHash);
  const fixed = present({
    rank,
    isFeatured: described.isFeatured ? (true as const) : undefined,
    color: color !== undefined && /^#[0-9a-f]{6}$/.test(color) ? color : undefined,
    blurHash:
      blurHash !== undefined && /^[\w#$%*+,\-.:;=?@[\]^{|}~]{6,40}$/.test(blurHash) ? blurHash : undefined,
  });
  let title = cut(text(described.title), textCharactersMax);
  let alt = cut(text(described.alt), textCharactersMax);
  let tags = (described.tags ?? [])
    .flatMap((tag) => cut(text(tag), tagCharactersMax) ?? [])
    .slice(0, tagsMax);
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
