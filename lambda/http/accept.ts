/**
 * Reads the `Accept` header: it decides the format of an image and the form of an error. The distribution has
 * the header in its cache key, so `lib/edge/viewer-request.js` shortens that of a browser to one of two forms.
 */

import type { RenditionFormat } from '../requests/rendition';

/** Chooses the format with the highest weight, or else JPEG. WebP wins a tie, because AVIF takes longer to make. */
export function chooseFormat(accept: string | undefined): RenditionFormat {
  const ranges = parseAccept(accept);
  const getWeight = (type: string) => ranges.find((range) => range.type === type)?.weight ?? 0;
  const webp = getWeight('image/webp');
  const avif = getWeight('image/avif');
  const jpeg = getWeight('image/jpeg');
  if (webp > 0 && webp >= avif && webp >= jpeg) return 'webp';
  if (avif > 0 && avif >= jpeg) return 'avif';
  return 'jpeg';
}

/**
 * Says whether a request comes from an image tag, which can show nothing but an image. `Sec-Fetch-Dest`
 * decides when the browser sends it. If not, the `Accept` must prefer images and name neither HTML nor JSON.
 */
export function isImageLoad(secFetchDest: string | undefined, accept: string | undefined): boolean {
  if (secFetchDest !== undefined && secFetchDest !== '') return secFetchDest.trim().toLowerCase() === 'image';
  const ranges = parseAccept(accept).filter(({ weight }) => weight > 0);
  if (ranges.some(({ type }) => /^(text\/html|application\/(xhtml\+xml|([^+]+\+)?json))$/.test(type)))
    return false;
  const weightMax = Math.max(...ranges.map(({ weight }) => weight), 0);
  return ranges.some(({ type, weight }) => type.startsWith('image/') && weight === weightMax);
}

/** Says whether an `Accept` names image types but no range that includes SVG. */
export function acceptsOnlyPng(accept: string | undefined): boolean {
  const types = parseAccept(accept).flatMap(({ type, weight }) => (weight > 0 ? [type] : []));
  const takesSvg = types.some((type) => ['image/svg+xml', 'image/*', '*/*'].includes(type));
  return !takesSvg && types.some((type) => type.startsWith('image/'));
}

/** Parses an `Accept` header into types with their weights from 0 to 1. An invalid weight counts as 0. */
function parseAccept(accept: string | undefined) {
  return (accept ?? '')
    .split(',')
    .map((part) => {
      const pieces = part.split(';').map((piece) => piece.trim().toLowerCase());
      const weightText = pieces.slice(1).find((parameter) => parameter.startsWith('q='));
      const weight = weightText === undefined ? 1 : Number(weightText.slice(2));
      return { type: pieces[0] ?? '', weight: weight >= 0 && weight <= 1 ? weight : 0 };
    })
    .filter((range) => range.type.includes('/'));
}
