/**
 * Reads the `Accept` header: it decides the format of an image and the form of an error. The distribution has
 * the header in its cache key, so `lib/edge/viewer-request.js` shortens that of a browser to one of two forms.
 */

import type { RenditionFormat } from '../requests/rendition';

/** Chooses the format. The default is JPEG. WebP wins a tie, because AVIF takes longer to make. */
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
 * Returns true if an image tag sends the request. An image tag can show nothing but an image. `Sec-Fetch-Dest`
 * decides when the browser sends it. If not, the `Accept` must prefer images and name neither HTML nor JSON.
 */
export function isImageLoad(secFetchDest: string | undefined, accept: string | undefined): boolean {
  if (secFetchDest !== undefined && secFetchDest !== '') return secFetchDest.trim().toLowerCase() === 'image';
  const ranges = readAccept(accept).filter(({ q }) => q > 0);
  if (ranges.some(({ type }) => /^(text\/html|application\/(xhtml\+xml|([^+]+\+)?json))$/.test(type)))
    return false;
  const highestQ = Math.max(...ranges.map(({ q }) => q), 0);
  return ranges.some(({ type, q }) => type.startsWith('image/') && q === highestQ);
}

/** Returns true if the `Accept` names image types but no range that includes SVG. */
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
