/** Writes the URLs of one image: `src` in the requested size, and `srcset` in the usual widths. */

import { computeHeight, listSizes, parseSize, type Size } from '../../packages/client/src/image-size';
import { sidePx, usualWidthsPx } from '../contract/request-bounds';
import { routes } from '../contract/routes';
import type { ServedImage } from '../images/image';
import { type ImageRequest, makeAiRequest, stockDefaults } from '../requests/image-request';
import { isWithinBounds } from '../requests/rendition';
import { listRequestParameters, writeRequestQuery } from '../requests/request-query';
import { type Signing, signQuery } from '../requests/url-signature';

/** The largest width of `srcset`, for dense screens, as a multiple of the requested one. */
const densityMax = 2;

/** The credential in the URLs of an image. Visitors of a page load the image with it. */
export type UrlCredential =
  | {
      readonly kind: 'signed';
      readonly signing: Signing;
      /** The largest size that is signed. Absent if the signature is for one size. */
      readonly upto?: string;
      /** True if the service signs for the account. Then any size may be signed. */
      readonly isByService?: true;
    }
  | { readonly kind: 'site'; readonly key: string };

/**
 * Makes a request by the pick of a served image, because its words may find another image later.
 * @param request absent for a permalink
 */
export function makePickRequest(
  { source, pick, widthPx, heightPx, label }: ServedImage,
  request: ImageRequest | undefined,
): ImageRequest {
  const baseRequest = request ?? { ...stockDefaults, widthPx, heightPx };
  const sourceRequest =
    source === 'ai' && baseRequest.source !== 'ai' ? makeAiRequest(baseRequest) : baseRequest;
  return { ...sourceRequest, ...(label && { label }), ...(pick !== undefined && { pick }) };
}

/** Writes the URL of a request. Without a credential, it counts against the limits of each visitor. */
export function writeImageUrl(rootUrl: string, request: ImageRequest, credential?: UrlCredential): string {
  return `${rootUrl}${routes.image}?${writeCredentialQuery(request, credential)}`;
}

function writeCredentialQuery(request: ImageRequest, credential: UrlCredential | undefined): string {
  if (credential?.kind === 'signed') {
    const { signing, upto } = credential;
    return signQuery(signing, { ...listRequestParameters(request), ...(upto !== undefined && { upto }) });
  }
  const query = writeRequestQuery(request);
  return credential ? `${query}&site=${credential.key}` : query;
}

/**
 * Writes the URL of an image, and `srcset` with the requested width and the usual widths up to twice of it. All
 * have the same ratio. Signed URLs are no larger than the signed size.
 */
export function writeImageUrls(
  rootUrl: string,
  imageRequest: ImageRequest,
  urlCredential: UrlCredential | undefined,
): { readonly src: string; readonly srcset: string } {
  const { request, credential } = chooseSignedSizes(imageRequest, urlCredential);
  const src = writeImageUrl(rootUrl, request, credential);
  const isSigned = credential?.kind === 'signed';
  const upto = (isSigned && credential.upto) || `${request.widthPx}x${request.heightPx}`;
  const widthsCredential = isSigned ? { ...credential, upto } : credential;
  const otherSources = listOtherSizes(request, parseSize(upto), isSigned).map((size) => ({
    widthPx: size.widthPx,
    url: writeImageUrl(rootUrl, { ...request, ...size }, widthsCredential),
  }));
  const sources = [...otherSources, { widthPx: request.widthPx, url: src }].sort(
    (a, b) => a.widthPx - b.widthPx,
  );
  return { src, srcset: sources.map(({ widthPx, url }) => `${url} ${widthPx}w`).join(', ') };
}

/** Lists the usual widths other than the requested one. @param isBound true if `largest` is the limit */
function listOtherSizes({ widthPx }: Size, largest: Size, isBound: boolean): readonly Size[] {
  const widthMax = Math.min(densityMax * widthPx, isBound ? largest.widthPx : Infinity);
  return usualWidthsPx
    .filter((width) => width <= widthMax && width !== widthPx)
    .map((width) => ({ widthPx: width, heightPx: computeHeight(largest, width) }))
    .filter(isWithinBounds);
}

/**
 * Chooses the sizes that the service signs for an account. One `upto` covers all widths: twice the requested
 * size, within the bounds of a side. The URL has the smallest listed width that is not below the requested one.
 * If no listed width fits the ratio, there is one URL in the requested size.
 */
function chooseSignedSizes(request: ImageRequest, credential: UrlCredential | undefined) {
  if (credential?.kind !== 'signed' || !credential.isByService) return { request, credential };
  const { widthPx, heightPx } = request;
  const scale = Math.min(densityMax, sidePx.max / widthPx, sidePx.max / heightPx);
  const largest = { widthPx: Math.round(widthPx * scale), heightPx: Math.round(heightPx * scale) };
  const allowedSizes = listSizes(largest);
  const size = allowedSizes.find((allowed) => allowed.widthPx >= widthPx) ?? allowedSizes.at(-1);
  if (!size) return { request, credential };
  const upto = `${largest.widthPx}x${largest.heightPx}`;
  return { request: { ...request, ...size }, credential: { ...credential, upto } };
}
