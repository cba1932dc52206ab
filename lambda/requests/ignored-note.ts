/** Writes the note on parameters without effect, with the names that were probably meant. */

import { parameterNames, parametersBySource, permalinkParameters } from '../contract/parameters';
import { routes } from '../contract/routes';
import { withoutCredentials } from '../problems/received';

/** Longest list of ignored names, in bytes: the header has 300, and the nearest names follow the list. */
const listBytesMax = 130;
/** Names that are looked at: nobody mistypes more, and programs may send thousands. */
const namesMax = 20;

/** Names that a mistyped one never stands for: `size` is not meant as `site`. */
const neverMeant: readonly string[] = ['site', 'signer', 'expires', 'signature'];

/** Writes the note on the parameters of a request; `undefined` on routes that show no image. */
export function noteOnRequest({ resource, query }: Resource): string | undefined {
  const imageRoutes: readonly string[] = [routes.image, routes.imagePath, routes.permalink];
  if (!imageRoutes.includes(resource)) return undefined;
  const validNames = resource === routes.permalink ? permalinkParameters : parameterNames;
  return ignoredNote(Object.keys(query), validNames, query['provider']?.[0] === 'ai');
}

interface Resource {
  readonly resource: string;
  readonly query: Readonly<Record<string, readonly string[] | undefined>>;
}

/**
 * Names the parameters without effect, unknown ones and those of the other kind of source, in printable
 * ASCII: `ignored: size, qurey; did you mean query?`.
 * @param names full names, as they came
 * @param validNames the names that have a meaning here
 */
export function ignoredNote(
  names: readonly string[],
  validNames: readonly string[],
  isAi: boolean,
): string | undefined {
  // A label has an effect on stock where `onmiss=ai` generates the image.
  const otherSourceNames: readonly string[] = parametersBySource[isAi ? 'stock' : 'ai'].filter(
    (name) => name !== 'label',
  );
  const ignored = names.filter(
    (name) => name !== '' && (!validNames.includes(name) || otherSourceNames.includes(name)),
  );
  if (ignored.length === 0) return undefined;
  const examinedNames = ignored.slice(0, namesMax);
  const shownNames = examinedNames.map(shownName);
  const listedNames = shownNames.filter(
    (_name, i) => shownNames.slice(0, i + 1).join(', ').length <= listBytesMax,
  );
  const unlistedCount = ignored.length - listedNames.length;
  const meantNames = validNames.filter((name) => !neverMeant.includes(name));
  const unknownNames = examinedNames.filter((name) => !validNames.includes(name));
  const suggestions = new Set(
    unknownNames.flatMap((name) => meantNames.find((likelyName) => isLike(name, likelyName)) ?? []),
  );
  const withoutEffect = examinedNames.filter((name) => validNames.includes(name)).join(', ');
  return [
    `ignored: ${listedNames.join(', ')}${unlistedCount > 0 ? ` and ${unlistedCount} more` : ''}`,
    ...(suggestions.size > 0 ? [`did you mean ${[...suggestions].slice(0, 3).join(', ')}?`] : []),
    ...(withoutEffect === '' ? [] : [`${withoutEffect} ${isAi ? 'not' : 'only'} with provider=ai`]),
  ].join('; ');
}

/** Shows a name as a note may repeat it: not a key that stands in place of a name by mistake. */
function shownName(name: string): string {
  const redacted = withoutCredentials(name).replace(/[^!-~]+|[;,]+/g, '?');
  return redacted.length > 40 ? `${redacted.slice(0, 37)}...` : redacted;
}

/** Whether a name is a known one with another case or separator, or with one slip. */
function isLike(name: string, validName: string): boolean {
  const letters = lettersOf(name);
  const validLetters = lettersOf(validName);
  return letters === validLetters || (letters.length >= 3 && isOneSlipFrom(letters, validLetters));
}

/** Whether two letters are swapped, or one is too many, missing or wrong. */
function isOneSlipFrom(given: string, valid: string): boolean {
  let equalCount = 0;
  while (equalCount < given.length && given[equalCount] === valid[equalCount]) equalCount++;
  const [givenRest, validRest] = [given.slice(equalCount), valid.slice(equalCount)];
  const [first = '', second = '', ...others] = validRest;
  const swapped = [second, first, ...others].join('');
  const [givenAfter, validAfter] = [givenRest.slice(1), validRest.slice(1)];
  return (
    givenRest === swapped || givenAfter === validRest || givenRest === validAfter || givenAfter === validAfter
  );
}

const lettersOf = (name: string) => name.toLowerCase().replace(/[-_]/g, '');
