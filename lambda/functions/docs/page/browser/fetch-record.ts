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
}

interface Problem {
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

/** The credit line, linked to the page of the image where there is one. */
export function creditOf({ creditLine, landingUrl }: Attribution): HTMLAnchorElement | string {
  return isWebUrl(landingUrl) ? link(landingUrl, creditLine) : creditLine;
}
