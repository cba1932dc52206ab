/** Requests the JSON record of an image from the service. */

import { isWebUrl, link } from './elements';
import { withParameters } from './request-url';

export interface Attribution {
  readonly creditLine: string;
  readonly landingUrl?: string | null;
}

export interface ImageRecord {
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly source: string;
  /** How much of the query a stock image covers; null for AI images. */
  readonly fit: string | null;
  readonly attribution: Attribution;
  readonly color: string | null;
  readonly placeholder: { readonly dataUri: string } | null;
  /** URLs of the service at the usual widths; null for AI images. */
  readonly srcset: string | null;
}

export interface Problem {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly code: string;
  readonly requestId: string;
}

export type RecordResponse = { readonly status: number; readonly headers: Headers } & (
  | { readonly ok: true; readonly record: ImageRecord }
  | { readonly ok: false; readonly problem: Problem }
);

/** Path prefix of the stage under which the page is served. */
export const prefix = document.documentElement.dataset['prefix'] ?? '';

/**
 * @param url URL of a request for an image; the key is sent as a header only
 * @throws when the service cannot be reached or does not answer with JSON
 */
export async function fetchRecord(url: string, key = ''): Promise<RecordResponse> {
  const response = await fetch(withParameters(url, [['format', 'json']]), {
    headers: { Accept: 'application/json, image/webp', ...(key === '' ? {} : { 'X-API-Key': key }) },
    referrerPolicy: 'no-referrer',
  });
  const { status, headers } = response;
  const body: unknown = await response.json();
  return response.ok
    ? { ok: true, status, headers, record: body as ImageRecord }
    : { ok: false, status, headers, problem: body as Problem };
}

export type BatchResponse =
  | { readonly ok: true; readonly images: Readonly<Record<string, ImageRecord | Problem>> }
  | { readonly ok: false; readonly problem: Problem };

/**
 * The records of several images in one call, by slot.
 * @param key API key, without which a batch is refused; sent as a header only
 * @throws when the service cannot be reached or does not answer with JSON
 */
export async function fetchBatch(images: readonly object[], key: string): Promise<BatchResponse> {
  const response = await fetch(`${prefix}/api/images`, {
    method: 'POST',
    headers: { Accept: 'application/json, image/webp', 'Content-Type': 'application/json', 'X-API-Key': key },
    body: JSON.stringify({ images }),
    referrerPolicy: 'no-referrer',
  });
  const body: unknown = await response.json();
  return response.ok
    ? { ok: true, images: (body as { images: Record<string, ImageRecord | Problem> }).images }
    : { ok: false, problem: body as Problem };
}

/** The credit line, linked to the page of the image where there is one. */
export function creditOf({ creditLine, landingUrl }: Attribution): HTMLAnchorElement | string {
  return isWebUrl(landingUrl) ? link(landingUrl, creditLine) : creditLine;
}
