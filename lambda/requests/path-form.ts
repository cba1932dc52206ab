/** The path form of a request: `{width}x{height}-{words}`, percent-decoded once, with or without an extension. */

import { formatsByExtension, type RenditionFormat } from './rendition';

/** The parameters that a path stands for, as text; whether they are in bounds is decided with all others. */
export interface PathParameters {
  readonly width: string;
  readonly height: string;
  readonly query: string;
  /** The format that the extension names; absent where there is none, and for one that is not made, such as `.png`. */
  readonly extension?: RenditionFormat;
}

/** What is wrong with a path, and its sides where they could be read. */
export interface UnreadablePath {
  readonly fault: string;
  readonly width?: string;
  readonly height?: string;
}

/**
 * Reads the path below `/api/image/` as API Gateway hands it over: percent-encoded by a REST API. It is decoded once as
 * UTF-8. Slashes separate words as hyphens do; those around it come from URLs that were put together carelessly.
 */
export function readPathForm(spec: string): PathParameters | UnreadablePath {
  const { text, isBroken } = decodePercent(withoutOuterSlashes(spec));
  const [, named = '', extension = ''] =
    /^(.*?)(?:\.(jpe?g|webp|avif|png|gif|svg|bmp|tif))?$/isu.exec(text) ?? [];
  const match = /^([\d.+-][^xX×]*)([xX×])([^-_+/ ]*)(?:[-_+/ ](.*))?$/su.exec(named);
  const [, width = '', separator, height = '', words = ''] = match ?? [];
  if (isBroken)
    return { fault: 'percent-encoded UTF-8 without broken sequences', ...(match ? { width, height } : {}) };
  // Other signs between the sides are refused, as signers read none of them; the card still has the size that was meant.
  if (separator !== 'x')
    return {
      fault: '{width}x{height}-{words}, for example 1920x1080-mountain-lake',
      ...(match ? { width, height } : {}),
    };
  const format = formatsByExtension[extension.toLowerCase()];
  // Signers in other languages trim other white space differently, so it is left to the rules of `query`.
  const query = words.replace(/[-_+/ ]+/g, ' ').replace(/^ | $/g, '');
  return { width, height, query, ...(format ? { extension: format } : {}) };
}

/** By index, as a regular expression for the end of a text takes time that grows with the square of its slashes. */
function withoutOuterSlashes(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text[start] === '/') start++;
  while (end > start && text[end - 1] === '/') end--;
  return text.slice(start, end);
}

/** Stands for what could not be decoded; no parameter accepts it. */
const replacement = '\ufffd';

/** A text with its percent sequences decoded once as UTF-8; each run of broken ones becomes one U+FFFD. */
export function decodePercent(text: string): { readonly text: string; readonly isBroken: boolean } {
  let isBroken = false;
  const decoded = text.replace(/(?:%[0-9a-f]{2})+|%/gi, (sequences) => {
    try {
      return decodeURIComponent(sequences);
    } catch {
      isBroken = true;
      return replacement;
    }
  });
  return { text: decoded, isBroken };
}
