/** Records of images: fetched from the service, and shown as a page should, with something in the place of an image at once. */

import type { Attribution, ImageRecord, Problem } from '../../../../packages/client/src/service';
import { isWebUrl, link } from './elements';
import { withParameters } from './snippets';

/** An answer of the service: what was asked for, or the problem in place of it. */
export type Answer<T> = { readonly status: number; readonly headers: Headers } & (
  | { readonly ok: true; readonly body: T }
  | { readonly ok: false; readonly problem: Problem }
);

/** Path prefix of the stage under which the page is served. */
export const prefix = document.documentElement.dataset['prefix'] ?? '';

/**
 * Requests JSON of the service.
 * @param path without the prefix of the stage
 * @param key sent as a header only; none where it is empty
 * @throws when the service cannot be reached or does not answer with JSON
 */
export async function ask<T>(
  path: string,
  key: string,
  { method = 'GET', body }: { readonly method?: 'GET' | 'POST' | 'DELETE'; readonly body?: object } = {},
): Promise<Answer<T>> {
  const response = await fetch(prefix + path, {
    method,
    headers: {
      Accept: 'application/json, image/webp',
      ...(key !== '' && { 'X-API-Key': key }),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    referrerPolicy: 'no-referrer',
  });
  const { ok, status, headers } = response;
  const answer: unknown = await response.json();
  return ok
    ? { ok, status, headers, body: answer as T }
    : { ok, status, headers, problem: answer as Problem };
}

/** The record of an image. @param path of a request for it, as `urlOf` builds it without a root */
export const fetchRecord = (path: string, key = ''): Promise<Answer<ImageRecord>> =>
  ask(withParameters(path, [['format', 'json']]), key);

/** The credit line, linked to the page of the image where there is one. */
export function creditOf({ creditLine, landingUrl }: Attribution): HTMLAnchorElement | string {
  return isWebUrl(landingUrl) ? link(landingUrl, creditLine) : creditLine;
}

/** Fills the place of an image until it is loaded. */
export function showPlaceholder(image: HTMLImageElement, { placeholder, color }: ImageRecord): void {
  if (placeholder) image.style.background = `url(${placeholder.dataUri}) center / cover no-repeat`;
  else if (color) image.style.backgroundColor = color;
}
