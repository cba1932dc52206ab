/** The note on parameters that have no effect, with the names that were probably meant. */

import { parameterNames, parametersOf, permalinkParameters } from '../contract/parameters';
import { routes } from '../contract/routes';
import { withoutCredentials } from '../problems/received';

/** Longest list of ignored names, in bytes: the note is a header of 300, and the nearest names stand behind it. */
const listBytesMax = 130;
/** Names that are looked at: nobody mistypes more, and programs send thousands. */
const namesMax = 20;

/** Names that nobody means who has mistyped another one: `size` is no `site`. */
const neverMeant: readonly string[] = ['site', 'signer', 'expires', 'signature'];

/** The note on a request's parameters; `undefined` on routes that show no image. @param query by full names */
export function ignoredNoteOf({ resource, query }: Resource): string | undefined {
  const imageRoutes: readonly string[] = [routes.image, routes.imagePath, routes.permalink];
  if (!imageRoutes.includes(resource)) return undefined;
  const known = resource === routes.permalink ? permalinkParameters : parameterNames;
  return ignoredNote(Object.keys(query), known, query['provider']?.[0] === 'ai');
}

interface Resource {
  /** Template of the route. */
  readonly resource: string;
  readonly query: Readonly<Record<string, readonly string[] | undefined>>;
}

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
  // A label has an effect on stock where `onmiss=ai` generates the image.
  const elsewhere: readonly string[] = parametersOf[isAi ? 'stock' : 'ai'].filter((name) => name !== 'label');
  const ignored = given.filter((name) => name !== '' && (!known.includes(name) || elsewhere.includes(name)));
  if (ignored.length === 0) return undefined;
  const looked = ignored.slice(0, namesMax);
  const names = looked.map(shownName);
  const listed = names.filter((_, i) => names.slice(0, i + 1).join(', ').length <= listBytesMax);
  const more = ignored.length - listed.length;
  const likely = known.filter((name) => !neverMeant.includes(name));
  const unknown = looked.filter((name) => !known.includes(name));
  const meant = new Set(unknown.flatMap((name) => likely.find((each) => isLike(name, each)) ?? []));
  const withoutEffect = looked.filter((name) => known.includes(name)).join(', ');
  return [
    `ignored: ${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
    ...(meant.size > 0 ? [`did you mean ${[...meant].slice(0, 3).join(', ')}?`] : []),
    ...(withoutEffect === '' ? [] : [`${withoutEffect} ${isAi ? 'not' : 'only'} with provider=ai`]),
  ].join('; ');
}

/** A name as it may be repeated: a key that stands in its place by mistake is not. */
function shownName(name: string): string {
  const plain = withoutCredentials(name).replace(/[^!-~]+|[;,]+/g, '?');
  return plain.length > 40 ? `${plain.slice(0, 37)}...` : plain;
}

/** Whether a name is mistyped for a known one: in other letters' case or with other separators, or with one slip. */
function isLike(given: string, known: string): boolean {
  const [a, b] = [given, known].map((name) => name.toLowerCase().replace(/[-_]/g, '')) as [string, string];
  if (a === b) return true;
  if (a.length < 3) return false;
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  const [restA, restB] = [a.slice(i), b.slice(i)];
  // Two letters in each other's place, or one too many, too few or another one.
  const isSwapped = restA === [restB[1], restB[0], restB.slice(2)].join('');
  const [tailA, tailB] = [restA.slice(1), restB.slice(1)];
  return isSwapped || tailA === restB || restA === tailB || tailA === tailB;
}
