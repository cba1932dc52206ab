/**
 * Reads an `Accept` header: which image format to make, and whether the caller is an image tag. The CloudFront Function
 * makes the format part of its cache key, so it is found in the syntax that its runtime knows.
 */

import type { RenditionFormat } from '../requests/rendition';

/**
 * The format of a rendition for a caller. WebP wins a tie, because AVIF takes many times as long to make; a caller that
 * names neither gets JPEG, which everything can show.
 */
export function formatFor(accept: string | undefined): RenditionFormat {
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
 * Whether a request comes from an image tag, which can show nothing but an image. `Sec-Fetch-Dest` decides where the
 * browser sends it; otherwise an `Accept` that likes images best and asks for neither HTML nor JSON.
 */
export function isImageLoad(secFetchDest: string | undefined, accept: string | undefined): boolean {
  if (secFetchDest !== undefined && secFetchDest !== '') return secFetchDest.trim().toLowerCase() === 'image';
  const ranges = readAccept(accept).filter(({ q }) => q > 0);
  if (ranges.some(({ type }) => /^(text\/html|application\/(xhtml\+xml|([^+]+\+)?json))$/.test(type)))
    return false;
  const best = Math.max(...ranges.map(({ q }) => q), 0);
  return ranges.some(({ type, q }) => type.startsWith('image/') && q === best);
}

/** Whether a caller can show images but no SVG: its `Accept` names types, and neither SVG nor a range that includes it. */
export function takesPngAlone(accept: string | undefined): boolean {
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
