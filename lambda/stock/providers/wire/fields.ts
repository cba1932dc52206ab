/** Reads the fields of a provider's reply. A missing, damaged or mistyped one is `undefined`. */

import { parseUrl } from '../../../base/parse';
import { cutToLength } from '../../../base/text';
import { isLoopbackHost } from '../../../images/allowed-url';

/** Longest name or title that is passed on, in characters: it stands in a header, beside others. */
const nameCharactersMax = 200;

/** Reads a member of an object, by its path; an empty object where something else stands. */
export function readObject(value: unknown, ...path: readonly string[]): Readonly<Record<string, unknown>> {
  let current = value;
  for (const name of path) current = (current as Record<string, unknown> | null | undefined)?.[name];
  return typeof current === 'object' && current !== null ? (current as Record<string, unknown>) : {};
}

/** Lists the members of the array or object at a path, in their order; none where something else stands. */
export function listMembers(value: unknown, ...path: readonly string[]): readonly unknown[] {
  return Object.values(readObject(value, ...path));
}

/** Cleans a text: trimmed, well-formed and not empty, without control characters or marks of direction. */
export function cleanText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const clean = value.toWellFormed().replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, ' ');
  return clean.trim() || undefined;
}

/**
 * Reads a text for readers: without tags, whether they are whole or come together when others are taken out.
 * Strangers write it, and a page that shows it may be read by a template language next: no `{{`, `{%`, `<%`,
 * `${` or `#{` is in it.
 */
export function readPlainText(value: unknown): string | undefined {
  return cleanText(
    cleanText(value)
      ?.replace(/<[a-z!/?][^<>]*>/gi, ' ')
      .replace(/<(?=[a-z!/?])|[{<$#](?=[{%])|[}%](?=[}>])/gi, '$& ')
      .replace(/ {2,}/g, ' '),
  );
}

/** Reads the name of a person or a work, cut where it is too long for a credit line. */
export function readName(value: unknown): string | undefined {
  return cutToLength(readPlainText(value) ?? '', nameCharactersMax) || undefined;
}

/** Reads the URL of a page that may be linked to, over http or https; `//host/path` counts as https. */
export function readPageUrl(value: unknown): string | undefined {
  const absolute = typeof value === 'string' ? value.trim().replace(/^\/\//, 'https://') : '';
  return /^https?:\/\//i.test(absolute) ? parseUrl(absolute)?.href : undefined;
}

/** Reads the URL of an image over https; a plain http one is raised to https, except on this machine. */
export function readImageUrl(value: unknown): string | undefined {
  const url = parseUrl(readPageUrl(value) ?? '');
  if (url && !isLoopbackHost(url.hostname)) url.protocol = 'https:';
  return url?.href;
}

/** Reads a whole number above zero, such as a width. */
export function readWhole(value: unknown): number | undefined {
  return Number.isInteger(value) && Number(value) > 0 ? Number(value) : undefined;
}
