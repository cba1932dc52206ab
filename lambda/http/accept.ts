/**
 * Reads an `Accept` header: which format to make, and whether an image tag asks. Behind the distribution,
 * `lib/edge/viewer-request.js` has reduced it to few forms, for the cache key.
 */

import type { RenditionFormat } from '../requests/rendition';

/** Chooses the format for a caller, by default JPEG. WebP wins a tie, as AVIF takes much longer to make. */
export function chooseFormat(accept: string | undefined): RenditionFormat {
  const ranges = readAccept(accept);
  const q = (type: string) => ranges.find((range) => range.type === type)?.q ?? 0;
  const webp = q('image/webp');
  const avif = q('image/avif');
  const jpeg = q('image/jpeg');
  if (webp > 0 && webp >= avif && webp >= jpeg) return 'webp';
  if (avif > 0 && avif >= jpeg) return 'avif';
  return 'jpeg';
}

/**
 * Tells whether an image tag asks, which can show nothing but an image: by `Sec-Fetch-Dest` where the browser
 * sends it, else by an `Accept` that prefers images and names neither HTML nor JSON.
 */
export function isImageLoad(secFetchDest: string | undefined, accept: string | undefined): boolean {
  if (secFetchDest !== undefined && secFetchDest !== '') return secFetchDest.trim().toLowerCase() === 'image';
  const ranges = readAccept(accept).filter(({ q }) => q > 0);
  if (ranges.some(({ type }) => /^(text\/html|application\/(xhtml\+xml|([^+]+\+)?json))$/.test(type)))
    return false;
  const highestQ = Math.max(...ranges.map(({ q }) => q), 0);
  return ranges.some(({ type, q }) => type.startsWith('image/') && q === highestQ);
}

/** Tells whether a caller can show images but no SVG: its `Accept` names types, and no range includes SVG. */
export function acceptsOnlyPng(accept: string | undefined): boolean {
  const types = readAccept(accept).flatMap(({ type, q }) => (q > 0 ? [type] : []));
  const takesSvg = types.some((type) => ['image/svg+xml', 'image/*', '*/*'].includes(type));
  return !takesSvg && types.some((type) => type.startsWith('image/'));
}

function readAccept(accept: string | undefined) {
  return (accept ?? '')
    .split(',')
    .map((part) => {
      const pieces = part.split(';').map((piece) => piece.trim().toLowerCase());
      const weight = pieces.slice(1).find((parameter) => parameter.startsWith('q='));
      const q = weight === undefined ? 1 : Number(weight.slice(2));
      return { type: pieces[0] ?? '', q: q >= 0 && q <= 1 ? q : 0 };
    })
    .filter((range) => range.type.includes('/'));
}
