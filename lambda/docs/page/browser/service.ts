/** Sends requests of the pages to the service, and shows an image while it loads. */

import type { ImageRecord, Problem } from '../../../../packages/client/src/service';

/** An answer of the service: the requested body, or a problem. */
export type ServiceAnswer<T> = { readonly status: number; readonly headers: Headers } & (
  | { readonly ok: true; readonly body: T }
  | { readonly ok: false; readonly problem: Problem }
);

/** Path prefix of the stage under which the page is served. */
export const stagePrefix = document.documentElement.dataset['prefix'] ?? '';

interface RequestOptions {
  readonly method?: 'POST' | 'PATCH' | 'DELETE';
  readonly body?: object | undefined;
  readonly signal?: AbortSignal;
}

/**
 * Requests JSON of the service.
 * @param path without the prefix of the stage
 * @param key sent as a header only; none if it is empty
 * @throws when the service cannot be reached, does not answer with JSON, or the request was ended
 */
export async function askService<T>(
  path: string,
  key: string,
  { body, ...options }: RequestOptions = {},
): Promise<ServiceAnswer<T>> {
  const response = await fetch(stagePrefix + path, {
    ...options,
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

/** Shows the image of a record in its place, with its placeholder or colour until it is loaded. */
export function imageElement(
  { url, width, height, placeholder, color }: ImageRecord,
  alt: string,
): HTMLImageElement {
  const image = new Image(width, height);
  image.alt = alt;
  if (placeholder) image.style.background = `url(${placeholder.dataUri}) center / cover no-repeat`;
  else if (color) image.style.backgroundColor = color;
  image.src = url;
  return image;
}
