/** The note on parameters that have no effect, with the names that were probably meant. */

import { closest, distance } from 'fastest-levenshtein';
import { parameterNames, parameterTexts } from '../contract/parameters';
import { withoutCredentials } from '../problems/received';

/** Parameters that have no effect with the other kind of source; a label has one where `onmiss=ai` generates the image. */
const onlyWith = (source: 'stock' | 'ai'): readonly string[] =>
  parameterNames.filter((name) => parameterTexts[name].appliesTo === source && name !== 'label');
const [aiOnly, stockOnly] = [onlyWith('ai'), onlyWith('stock')];

/** Longest list of ignored names, in bytes: the note is a header of 300, and the nearest names stand behind it. */
const listBytesMax = 130;
/** Names that are looked at: nobody mistypes more, and programs send thousands. */
const namesMax = 20;

/**
 * What the caller is told of names that have no effect, in printable ASCII: `ignored: size, qurey; did you mean query?`;
 * `undefined` for none. They mean no parameter, or one of the other kind of source.
 * @param given names as they came, under their full names
 * @param known the names that have a meaning there
 * @param isAi whether an AI image is requested
 */
export function ignoredNote(
  given: readonly string[],
  known: readonly string[],
  isAi: boolean,
): string | undefined {
  const elsewhere = isAi ? stockOnly : aiOnly;
  const ignored = given.filter((name) => name !== '' && (!known.includes(name) || elsewhere.includes(name)));
  if (ignored.length === 0) return undefined;
  const looked = ignored.slice(0, namesMax);
  const names = looked.map(shownName);
  const listed = names.filter((_, i) => names.slice(0, i + 1).join(', ').length <= listBytesMax);
  const more = ignored.length - listed.length;
  const unknown = looked.filter((name) => !known.includes(name));
  const meant = [...new Set(unknown.flatMap((name) => nearestName(name, known) ?? []))];
  const withoutEffect = looked.filter((name) => known.includes(name));
  return [
    `ignored: ${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
    ...(meant.length > 0 ? [`did you mean ${meant.slice(0, 3).join(', ')}?`] : []),
    ...(withoutEffect.length > 0
      ? [`${withoutEffect.join(', ')} ${isAi ? 'not' : 'only'} with provider=ai`]
      : []),
  ].join('; ');
}

/** A name as it may be repeated: a key that stands in its place by mistake is not. */
function shownName(name: string): string {
  const plain = withoutCredentials(name).replace(/[^!-~]+|[;,]+/g, '?');
  return plain.length > 40 ? `${plain.slice(0, 37)}...` : plain;
}

/** Names that nobody means who has mistyped another one: `size` is no `site`. */
const neverMeant: readonly string[] = ['site', 'signer', 'expires', 'signature'];

/** The known name that a given one most likely means: up to two letters away, one in a short name; none that is much longer. */
function nearestName(given: string, known: readonly string[]): string | undefined {
  const name = given.toLowerCase().replaceAll('-', '_').slice(0, 20);
  const candidates = known.filter((each) => each === name || !neverMeant.includes(each));
  const nearest = closest(name, candidates);
  const editsMax = name.length < 3 ? 0 : name.length < 5 ? 1 : 2;
  return distance(name, nearest) <= editsMax ? nearest : undefined;
}
