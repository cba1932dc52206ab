/** The note on parameters without effect. It suggests the names that were probably meant. */

import { distance } from 'fastest-levenshtein';
import { hideCredentials } from '../base/text';
import { parameterNames, parametersBySource, permalinkParameters } from '../contract/parameters';
import { routes } from '../contract/routes';
import type { RequestTexts } from './parse-request';

/** Longest list of ignored names, in bytes. The header has 300, and the suggestions follow the list. */
const listBytesMax = 130;
/** Most names that are examined. Nobody mistypes more, but programs may send thousands. */
const namesMax = 20;

/** Names that are never suggested. For example, `size` is not meant as `site`. */
const neverMeant: readonly string[] = ['site', 'signer', 'expires', 'signature'];

/** Writes the note on the parameters of a request. A route that shows no image has no note. */
export function writeRequestNote({ resource, query }: RequestTexts & { readonly resource: string }) {
  const imageRoutes: readonly string[] = [routes.image, routes.imagePath, routes.permalink];
  if (!imageRoutes.includes(resource)) return undefined;
  const validNames = resource === routes.permalink ? permalinkParameters : parameterNames;
  return writeIgnoredNote(Object.keys(query), validNames, query['provider']?.[0] === 'ai');
}

/** Writes the names of parameters without effect in ASCII, such as `ignored: size, qurey; did you mean query?`. */
export function writeIgnoredNote(
  names: readonly string[],
  validNames: readonly string[],
  isAi: boolean,
): string | undefined {
  // A label has an effect on a stock request when `onmiss=ai` makes the image.
  const otherSourceNames: readonly string[] = parametersBySource[isAi ? 'stock' : 'ai'].filter(
    (name) => name !== 'label',
  );
  const isValid = (name: string) => validNames.includes(name);
  const ignoredNames = names.filter(
    (name) => name !== '' && (!isValid(name) || otherSourceNames.includes(name)),
  );
  if (ignoredNames.length === 0) return undefined;
  const examinedNames = ignoredNames.slice(0, namesMax);
  const misplacedNames = examinedNames.filter(isValid);
  const unknownNames = examinedNames.filter((name) => !isValid(name));
  return [
    `ignored: ${writeList(examinedNames, ignoredNames.length)}`,
    writeSuggestions(unknownNames, validNames),
    misplacedNames.length > 0 && `${misplacedNames.join(', ')} ${isAi ? 'not' : 'only'} with provider=ai`,
  ]
    .filter(Boolean)
    .join('; ');
}

/** Writes the names that have room, and how many more there are. `count` is the number of all ignored names. */
function writeList(names: readonly string[], count: number): string {
  const printableNames = names.map(writePrintable);
  const listedNames = printableNames.filter(
    (_, i) => printableNames.slice(0, i + 1).join(', ').length <= listBytesMax,
  );
  const moreCount = count - listedNames.length;
  return `${listedNames.join(', ')}${moreCount > 0 ? ` and ${moreCount} more` : ''}`;
}

/** Writes a name as a note may repeat it. A key may stand in place of a name by mistake; it is hidden. */
function writePrintable(name: string): string {
  const printableName = hideCredentials(name).replace(/[^!-~]+|[;,]+/g, '?');
  return printableName.length > 40 ? `${printableName.slice(0, 37)}...` : printableName;
}

function writeSuggestions(unknownNames: readonly string[], validNames: readonly string[]): string {
  const meantNames = validNames.filter((name) => !neverMeant.includes(name));
  const suggestions = unknownNames.flatMap((name) => meantNames.find((meant) => isLike(name, meant)) ?? []);
  const firstSuggestions = [...new Set(suggestions)].slice(0, 3);
  return firstSuggestions.length > 0 ? `did you mean ${firstSuggestions.join(', ')}?` : '';
}

/** Says whether a name is like a valid one, up to case, separators, one slip or two swapped letters. */
function isLike(name: string, validName: string): boolean {
  const [letters, validLetters] = [keepLetters(name), keepLetters(validName)];
  if (letters.length < 3) return letters === validLetters;
  const slipsMax = sortLetters(letters) === sortLetters(validLetters) ? 2 : 1;
  return distance(letters, validLetters) <= slipsMax;
}

const keepLetters = (name: string) => name.toLowerCase().replace(/[-_]/g, '');
const sortLetters = (letters: string) => [...letters].sort().join('');
