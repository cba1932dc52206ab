/** The result of the playground: the image with its credit, or the problem, and a sentence about it. */

import type { ImageRecord } from '../../../../packages/client/src/service';
import { unlimitedRequests } from '../../../contract/plans';
import { createElement, createLink, fillElement, setState } from './elements';
import type { ServiceResult } from './service';

/** Shows the result of a request for some words. */
export function showResult(result: ServiceResult<ImageRecord>, query: string): void {
  const remainingText = describeRemaining(result.headers);
  if (!result.ok) {
    const { status, title, detail, code } = result.problem;
    fillElement('canvas', createElement('p', {}, detail, ' ', createLink(`#${code}`, code)));
    fillElement('credit');
    setState(`${status} · ${title}.${remainingText}`, true);
    return;
  }
  const { width, height, source, cache, fit, note, attribution } = result.body;
  const { creditLine, landingUrl } = attribution;
  fillElement('canvas', createImage(result.body, query));
  fillElement('credit', createLink(landingUrl, creditLine));
  const fitText = fit === null ? '' : `, fit ${fit}`;
  const noteText = note === null ? '' : ` ${note}`;
  const foundText = `Found: ${width} × ${height} pixels from ${source}${fitText}, cache ${cache}.`;
  setState(`${foundText}${remainingText}${noteText}`, false);
}

function describeRemaining(headers: Headers): string {
  const [remaining, limit] = ['Remaining', 'Limit'].map((name) => headers.get(`X-RateLimit-${name}`));
  const isLimited = limit !== null && Number(limit) !== unlimitedRequests;
  return isLimited ? ` ${remaining} of ${limit} requests left.` : '';
}

/** Makes the image of a record. Until it is loaded, its place shows the placeholder or the colour. */
export function createImage(record: ImageRecord, alt: string): HTMLImageElement {
  const { url, width, height, placeholder, color } = record;
  const image = new Image(width, height);
  image.alt = alt;
  image.style.background = placeholder ? `url(${placeholder.dataUri}) 0 / cover` : (color ?? '');
  image.src = url;
  return image;
}
