/** The description of an image, cut to the length that a choice stores. */

import { dropUndefined } from '../../../base/drop-undefined';
import type { Description } from '../../../images/image';
import { matchTexts } from '../../match';
import type { Subject } from '../../subject';
import { cleanText, readPlainText } from './fields';

const bytesMax = 400;
const tagsMax = 12;
const tagCharactersMax = 40;
const textCharactersMax = 150;

export interface UncheckedDescription {
  readonly title?: unknown;
  readonly alt?: unknown;
  readonly lang?: string | undefined;
  readonly tags?: readonly unknown[];
  readonly isFeatured?: boolean;
  readonly color?: unknown;
}

/**
 * Makes a description of at most 400 bytes of JSON. The title comes first, then the alternative text, then as
 * many tags as fit. The match is computed from the texts before they are cut.
 * @param subject the subject of the search; absent for an image that is requested by its id
 */
export function makeDescription(rank: number, fields: UncheckedDescription, subject?: Subject): Description {
  const title = readPlainText(fields.title);
  const alt = readPlainText(fields.alt);
  const tags = (fields.tags ?? []).flatMap((tag) => readPlainText(tag) ?? []);
  const color = cleanText(fields.color)?.toLowerCase();
  let description: Description = dropUndefined({
    rank,
    match: subject && matchTexts({ title, alt, tags }, subject),
    isFeatured: fields.isFeatured ? (true as const) : undefined,
    lang: fields.lang,
    color: color !== undefined && /^#[0-9a-f]{6}$/.test(color) ? color : undefined,
  });
  // The rank may get a second digit later, and the mark of a featured image may be added.
  const isShortEnough = (text: Partial<Description>) =>
    Buffer.byteLength(JSON.stringify({ ...description, ...text, rank: 99, isFeatured: true })) <= bytesMax;
  for (const [name, whole = ''] of Object.entries({ title, alt })) {
    let cut = cutTo(whole, textCharactersMax);
    while (cut !== '' && !isShortEnough({ [name]: cut })) cut = cutTo(cut, Math.max(0, [...cut].length - 5));
    if (cut !== '') description = { ...description, [name]: cut };
  }
  const shortTags: string[] = [];
  for (const tag of tags.slice(0, tagsMax).map((whole) => cutTo(whole, tagCharactersMax)))
    if (isShortEnough({ tags: [...shortTags, tag] })) shortTags.push(tag);
  return { ...description, ...(shortTags.length > 0 && { tags: shortTags }) };
}

const cutTo = (whole: string, charactersMax: number) => [...whole].slice(0, charactersMax).join('');
