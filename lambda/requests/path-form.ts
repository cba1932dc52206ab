/** The path form of a request: `{width}x{height}-{words}`, percent-decoded once, with or without an extension. */

import { formatsByExtension, pathExtensions, type RenditionFormat } from './rendition';

const wordsAndExtension = new RegExp(`^(.*?)(?:\\.(${pathExtensions.join('|')}))?$`, 'isu');

/** The parameters that a path stands for, as text; whether they are in bounds is decided with all others. */
export interface PathForm {
  readonly parameters: Readonly<Partial<Record<'query' | 'width' | 'height', string>>>;
  /** The format that the extension names; absent where there is none, and for one that is not made, such as `.png`. */
  readonly extension?: RenditionFormat | undefined;
  /** What the path should have been, where it could not be read; of its parameters there are at most the sides then. */
  readonly fault?: string;
}

/**
 * Reads the path below `/api/image/` as API Gateway hands it over: percent-encoded by a REST API. It is decoded once as
 * UTF-8. Slashes separate words as hyphens do; those around it come from URLs that were put together carelessly.
 */
export function readPathForm(spec: string): PathForm {
  // By index, as a regular expression for the end of a text takes time that grows with the square of its slashes.
  let end = spec.length;
  while (spec[end - 1] === '/') end--;
  const { text, isBroken } = decodePercent(spec.slice(0, end).replace(/^\/+/, ''));
  const [, named = '', extension = ''] = wordsAndExtension.exec(text) ?? [];
  const match = /^([\d.+-][^xX×]*)([xX×])([^-_+/ ]*)(?:[-_+/ ](.*))?$/su.exec(named);
  const [, width = '', separator, height = '', words = ''] = match ?? [];
  const sides = match ? { width, height } : {};
  if (isBroken) return { parameters: sides, fault: 'percent-encoded UTF-8 without broken sequences' };
  // Other signs between the sides are refused, as signers read none of them; the card still has the size that was meant.
  if (separator !== 'x')
    return { parameters: sides, fault: '{width}x{height}-{words}, for example 1920x1080-mountain-lake' };
  // Signers in other languages trim other white space differently, so it is left to the rules of `query`.
  const query = words.replace(/[-_+/ ]+/g, ' ').replace(/^ | $/g, '');
  return { parameters: { width, height, query }, extension: formatsByExtension[extension.toLowerCase()] };
}

/** A text with its percent sequences decoded once as UTF-8; each run of broken ones becomes one U+FFFD, which no parameter accepts. */
export function decodePercent(text: string): { readonly text: string; readonly isBroken: boolean } {
  let isBroken = false;
  const decoded = text.replace(/(?:%[0-9a-f]{2})+|%/gi, (sequences) => {
    try {
      return decodeURIComponent(sequences);
    } catch {
      isBroken = true;
      return '\ufffd';
    }
  });
  return { text: decoded, isBroken };
}
