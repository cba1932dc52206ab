/** Parses the path form of a request: `{width}x{height}-{words}`, with or without an extension. */

import { formatsByExtension, pathExtensions, type RenditionFormat } from './rendition';

const wordsAndExtension = new RegExp(`^(.*?)(?:\\.(${pathExtensions.join('|')}))?$`, 'isu');

/** The parameters in a path, as text; `parseRequest` judges them with all others. */
export interface PathForm {
  readonly parameters: Readonly<Partial<Record<'query' | 'width' | 'height', string>>>;
  /** The format by the extension; absent without one, and for one of `ignoredExtensions`. */
  readonly extension?: RenditionFormat | undefined;
  /** The expected form of a path that could not be read; `parameters` then has the sides at most. */
  readonly fault?: string;
}

/**
 * Reads the path below `/api/image/`, which a REST API hands over percent-encoded, and decodes it once as
 * UTF-8. Slashes separate words as hyphens do; those around the path come from carelessly built URLs.
 */
export function readPathForm(spec: string): PathForm {
  // A loop: the time of a regular expression for the end grows with the square of the slashes.
  let end = spec.length;
  while (spec[end - 1] === '/') end--;
  const { text, isBroken } = decodePercent(spec.slice(0, end).replace(/^\/+/, ''));
  const [, sidesAndWords = '', extension = ''] = wordsAndExtension.exec(text) ?? [];
  const sidesMatch = /^([\d.+-][^xX×]*)([xX×])([^-_+/ ]*)(?:[-_+/ ](.*))?$/su.exec(sidesAndWords);
  const [, width = '', separator, height = '', words = ''] = sidesMatch ?? [];
  const sides = sidesMatch ? { width, height } : {};
  if (isBroken) return { parameters: sides, fault: 'percent-encoded UTF-8 without broken sequences' };
  // Signers separate the sides by `x` alone; the error card still has the size that was meant.
  if (separator !== 'x')
    return { parameters: sides, fault: '{width}x{height}-{words}, for example 1920x1080-mountain-lake' };
  // Other white space is left to the rules of `query`: signers in other languages trim it differently.
  const query = words.replace(/[-_+/ ]+/g, ' ').replace(/^ | $/g, '');
  return { parameters: { width, height, query }, extension: formatsByExtension[extension.toLowerCase()] };
}

/** Decodes percent sequences once as UTF-8; broken ones become U+FFFD, which no parameter accepts. */
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
