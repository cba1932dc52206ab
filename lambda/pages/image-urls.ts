/** The URLs of one image at the usual widths, for the attribute `srcset`. */

import { sidePx, uptoWidthsPx, usualWidthsPx } from '../contract/request-bounds';
import { routes } from '../contract/routes';
import type { ImageRequest } from '../requests/image-request';
import type { Size } from '../requests/rendition';
import { requestParameters, requestQuery } from '../requests/request-query';
import { heightBelow, readUpto } from '../requests/size-below';
import { type Signing, signedQuery } from '../requests/url-signature';

/** How many times the requested width is the largest one, for dense screens. */
const densityMax = 2;

/** What a request was published with, which the URLs of the same image in other sizes carry too. */
export type UrlCredential =
  | {
      readonly kind: 'signed';
      readonly signing: Signing;
      /** The largest size that was signed; absent where one size was. */
      readonly upto?: string;
      /** The account's own: it may sign any size. */
      readonly isOwn?: true;
    }
  | { readonly kind: 'site'; readonly key: string };

/**
 * The request and credential of the URLs of a record, as they are but with an account's own signer: one `upto` for all widths, twice the requested size where both sides
 * allow it, and the nearest width of the list that is not below the requested one. A ratio for which the list has no width
 * has one URL, of the requested size.
 */
export function published(
  request: ImageRequest,
  credential: UrlCredential | undefined,
): { readonly request: ImageRequest; readonly credential: UrlCredential | undefined } {
  if (credential?.kind !== 'signed' || !credential.isOwn) return { request, credential };
  const { widthPx, heightPx } = request;
  const scale = Math.min(densityMax, sidePx.max / widthPx, sidePx.max / heightPx);
  const largest = { widthPx: Math.round(widthPx * scale), heightPx: Math.round(heightPx * scale) };
  const allowed = uptoWidthsPx
    .filter((width) => width <= largest.widthPx)
    .map((width) => ({ widthPx: width, heightPx: heightBelow(largest, width) }))
    .filter(isWithinBounds);
  const size = allowed.find((each) => each.widthPx >= widthPx) ?? allowed.at(-1);
  if (!size) return { request, credential };
  return {
    request: { ...request, ...size },
    credential: { ...credential, upto: `${largest.widthPx}x${largest.heightPx}` },
  };
}

/** URL of a request. Without a credential the service answers it for every caller. */
export function requestUrl(rootUrl: string, request: ImageRequest, credential?: UrlCredential): string {
  return `${rootUrl}${routes.image}?${queryOf(request, credential)}`;
}

function queryOf(request: ImageRequest, credential: UrlCredential | undefined): string {
  if (credential?.kind === 'signed') {
    const { signing, upto } = credential;
    const largest = upto === undefined ? {} : { upto };
    return signedQuery(signing, { ...requestParameters(request), ...largest });
  }
  const query = requestQuery(request);
  return credential ? `${query}&site=${credential.key}` : query;
}

/**
 * The requested width and the usual ones up to twice of it, each with the height that keeps the ratio. Signed ones are no
 * larger than what was signed: a visitor who reads the record gets no more than its URL shows.
 */
export function srcsetOf(rootUrl: string, request: ImageRequest, credential?: UrlCredential): string {
  const urls =
    credential?.kind === 'signed'
      ? signedUrls(rootUrl, request, credential)
      : openUrls(rootUrl, request, credential);
  return urls.map(([widthPx, url]) => `${url} ${widthPx}w`).join(', ');
}

type SizedUrl = readonly [widthPx: number, url: string];

function openUrls(rootUrl: string, request: ImageRequest, credential: UrlCredential | undefined): SizedUrl[] {
  const widths = new Set([
    ...usualWidthsPx.filter((width) => width <= densityMax * request.widthPx),
    request.widthPx,
  ]);
  return [...widths]
    .sort((a, b) => a - b)
    .map((widthPx) => ({ widthPx, heightPx: Math.round((widthPx * request.heightPx) / request.widthPx) }))
    .filter(isWithinBounds)
    .map((size) => [size.widthPx, requestUrl(rootUrl, { ...request, ...size }, credential)]);
}

function signedUrls(
  rootUrl: string,
  request: ImageRequest,
  credential: Extract<UrlCredential, { kind: 'signed' }>,
): SizedUrl[] {
  const upto = credential.upto ?? `${request.widthPx}x${request.heightPx}`;
  const largest = readUpto(upto);
  const largestPx = Math.min(largest.widthPx, densityMax * request.widthPx);
  const sizes = uptoWidthsPx
    .filter((width) => width <= largestPx && width !== request.widthPx && isUsual(width))
    .map((widthPx) => ({ widthPx, heightPx: heightBelow(largest, widthPx) }))
    .filter(isWithinBounds);
  const below = sizes.map(
    (size): SizedUrl => [size.widthPx, requestUrl(rootUrl, { ...request, ...size }, { ...credential, upto })],
  );
  return [...below, [request.widthPx, requestUrl(rootUrl, request, credential)] as const].sort(
    ([a], [b]) => a - b,
  );
}

function isUsual(width: number): boolean {
  return (usualWidthsPx as readonly number[]).includes(width);
}

function isWithinBounds({ widthPx, heightPx }: Size): boolean {
  return [widthPx, heightPx].every((px) => px >= sidePx.min && px <= sidePx.max);
}
