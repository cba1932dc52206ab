/** Reads the fields of a provider's reply. A missing or damaged field is `undefined`. */

import { parseUrl, parseWebUrl } from '../../../base/parse';
import { cutToLength } from '../../../base/text';
import { isLoopbackHost } from '../../../images/allowed-url';

/** Longest name or title, in characters, because both are in one response header. */
const nameCharactersMax = 200;

/** Reads the object at a path. Returns an empty object if there is no object. */
export function readObject(value: unknown, ...path: readonly string[]): Readonly<Record<string, unknown>> {
  let current = value;
  for (const name of path) current = (current as Record<string, unknown> | null | undefined)?.[name];
  return typeof current === 'object' && current !== null ? (current as Record<string, unknown>) : {};
}

/** Lists the members of the array or object at a path. Returns an empty list if there is none. */
export function listMembers(value: unknown, ...path: readonly string[]): readonly unknown[] {
  return Object.values(readObject(value, ...path));
}

/** Returns a trimmed text without control characters and marks of direction; `undefined` if it is empty. */
export function cleanText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const clean = value.toWellFormed().replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, ' ');
  return clean.trim() || undefined;
}

/**
 * Reads a text without tags. Pages may paste the text into a template, so the marks of template languages are
 * split: `{{`, `{%`, `<%`, `${` and `#{`. Tags that appear when other tags are removed are split as well.
 */
export function readPlainText(value: unknown): string | undefined {
  return cleanText(
    cleanText(value)
      ?.replace(/<[a-z!/?][^<>]*>/gi, ' ')
      .replace(/<(?=[a-z!/?])|[{<$#](?=[{%])|[}%](?=[}>])/gi, '$& ')
      .replace(/ {2,}/g, ' '),
  );
}

/** Reads the name of a person or a work, cut to the length of a credit. */
export function readName(value: unknown): string | undefined {
  return cutToLength(readPlainText(value) ?? '', nameCharactersMax) || undefined;
}

/** Reads the http or https URL of a page. `//host/path` is read as https. */
export function readPageUrl(value: unknown): string | undefined {
  return typeof value === 'string' ? parseWebUrl(value.trim().replace(/^\/\//, 'https://')) : undefined;
}

/** Reads the URL of an image, and changes http to https, except for hosts of this machine. */
export function readImageUrl(value: unknown): string | undefined {
  const url = parseUrl(readPageUrl(value) ?? '');
  if (url && !isLoopbackHost(url.hostname)) url.protocol = 'https:';
  return url?.href;
}

/** Reads a whole number above zero, such as a width. */
export function readNumber(value: unknown): number | undefined {
  return Number.isInteger(value) && Number(value) > 0 ? Number(value) : undefined;
}
