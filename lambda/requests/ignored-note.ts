/** The note on parameters without effect, with the names that were probably meant. */

import { distance } from 'fastest-levenshtein';
import { parameterNames, parametersBySource, permalinkParameters } from '../contract/parameters';
import { routes } from '../contract/routes';
import { hideCredentials } from '../problems/received';

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

/** Names the parameters without effect in ASCII, such as `ignored: size, qurey; did you mean query?`. */
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
  const examined = ignored.slice(0, namesMax);
  const ofOtherSource = examined.filter((name) => validNames.includes(name));
  const unknown = examined.filter((name) => !validNames.includes(name));
  const texts = [`ignored: ${listText(examined, ignored.length)}`, suggestionText(unknown, validNames)];
  if (ofOtherSource.length > 0)
    texts.push(`${ofOtherSource.join(', ')} ${isAi ? 'not' : 'only'} with provider=ai`);
  return texts.filter(Boolean).join('; ');
}

/** Lists names as far as there is room, and counts the others: `count` is that of all ignored names. */
function listText(names: readonly string[], count: number): string {
  const shownNames = names.map(shownName);
  const listed = shownNames.filter((_, i) => shownNames.slice(0, i + 1).join(', ').length <= listBytesMax);
  const rest = count - listed.length;
  return `${listed.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** Shows a name as a note may repeat it: not a key that stands in place of a name by mistake. */
function shownName(name: string): string {
  const redacted = hideCredentials(name).replace(/[^!-~]+|[;,]+/g, '?');
  return redacted.length > 40 ? `${redacted.slice(0, 37)}...` : redacted;
}

function suggestionText(unknownNames: readonly string[], validNames: readonly string[]): string | undefined {
  const meantNames = validNames.filter((name) => !neverMeant.includes(name));
  const suggestions = new Set(
    unknownNames.flatMap((name) => meantNames.find((meantName) => isLike(name, meantName)) ?? []),
  );
  return suggestions.size > 0 ? `did you mean ${[...suggestions].slice(0, 3).join(', ')}?` : undefined;
}

/** Whether a name is a valid one with another case or separator, one slip, or two letters swapped. */
function isLike(name: string, validName: string): boolean {
  const [letters, validLetters] = [keepLetters(name), keepLetters(validName)];
  if (letters.length < 3) return letters === validLetters;
  const slipsMax = sortLetters(letters) === sortLetters(validLetters) ? 2 : 1;
  return distance(letters, validLetters) <= slipsMax;
}

const keepLetters = (name: string) => name.toLowerCase().replace(/[-_]/g, '');
const sortLetters = (letters: string) => [...letters].sort().join('');
