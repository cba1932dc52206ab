/** The path form of a request: `{width}x{height}-{words}`, one path segment. */

/** The parameters that a segment stands for, as text; whether they are in bounds is decided with all others. */
export interface PathParameters {
  readonly width: string;
  readonly height: string;
  readonly query: string;
}

/**
 * Reads the segment as API Gateway hands it over: percent-encoded by a REST API. It is decoded once as UTF-8; a segment
 * without a percent sequence is taken as it is.
 * @returns what stood in it, or the words for what is wrong
 */
export function readPathForm(segment: string): PathParameters | { readonly fault: string } {
  let decoded: string;
  try {
    decoded = decodeURIComponent(segment);
  } catch {
    return { fault: 'percent-encoded UTF-8 without broken sequences' };
  }
  const match = /^([\d.+-][^x]*)x([^-_+ ]*)(?:[-_+ ](.*))?$/su.exec(decoded);
  if (!match) return { fault: '{width}x{height}-{words}, for example 1920x1080-mountain-lake' };
  const [, width = '', height = '', words = ''] = match;
  return { width, height, query: words.replace(/[-_+]/g, ' ') };
}
