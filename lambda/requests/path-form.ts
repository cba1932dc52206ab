/** The path form of a request: `{width}x{height}-{words}`, with or without an extension. */

import { formatsByExtension, pathExtensions, type RenditionFormat } from './rendition';

/** The extension at the end of a path. */
const extensionPattern = new RegExp(`\\.(${pathExtensions.join('|')})/*$`, 'iu');

/** The parameters in a path, as text. `parseRequest` checks them with all others. */
export interface PathForm {
  readonly parameters: Readonly<Partial<Record<'query' | 'width' | 'height', string>>>;
  /** The format by the extension. A path without one has none, nor has one of `ignoredExtensions`. */
  readonly extension?: RenditionFormat | undefined;
  /** The expected form, if the path could not be read. `parameters` then holds the sides or nothing. */
  readonly fault?: string;
}

/**
 * Parses the path below `/api/image/`. A REST API hands it over percent-encoded, so it is decoded once as
 * UTF-8. Slashes separate words as hyphens do. Slashes around the path come from carelessly built URLs and
 * are dropped.
 */
export function parsePathForm(spec: string): PathForm {
  const { text, isBroken } = decodePercent(spec.replace(/^\/+/, ''));
  const extension = extensionPattern.exec(text)?.[1]?.toLowerCase() ?? '';
  const sidesAndWords = text.replace(extensionPattern, '');
  const separatorAt = sidesAndWords.search(/[xX×]/);
  const width = sidesAndWords.slice(0, Math.max(0, separatorAt));
  const heightAndWords = sidesAndWords.slice(separatorAt + 1);
  const [height = ''] = heightAndWords.split(/[-_+/ ]/, 1);
  const hasSides = /^[\d.+-]/.test(width);
  const sides = hasSides ? { width, height } : {};
  if (isBroken) return { parameters: sides, fault: 'percent-encoded UTF-8 without broken sequences' };
  // Signers separate the sides only by `x`. The error card still has the size that was meant.
  if (!hasSides || sidesAndWords[separatorAt] !== 'x')
    return { parameters: sides, fault: '{width}x{height}-{words}, for example 1920x1080-mountain-lake' };
  // Other white space is left to the rules of `query`, because signers in other languages trim it differently.
  const words = heightAndWords.slice(height.length);
  const query = words.replace(/[-_+/ ]+/g, ' ').replace(/^ | $/g, '');
  return { parameters: { width, height, query }, extension: formatsByExtension[extension] };
}

/** Decodes percent sequences once as UTF-8. A broken sequence becomes U+FFFD, which no parameter accepts. */
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
