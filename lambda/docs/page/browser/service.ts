/** Sends the requests of the pages to the service. */

import type { Problem } from '../../../../packages/client/src/service';

/** The requested body, or a problem. */
export type ServiceResult<T> = { readonly headers: Headers } & (
  | { readonly ok: true; readonly body: T }
  | { readonly ok: false; readonly problem: Problem }
);

const unreachable = {
  status: 503,
  code: 'service_unavailable',
  title: 'Service unavailable',
  detail: 'The service could not be reached. Check your network connection.',
} as Problem;

/** Root of the service, without a trailing slash. The page names the prefix of its stage. */
export const serviceRoot = location.origin + (document.documentElement.dataset['prefix'] ?? '');

/**
 * Requests JSON. If there is no response, or it is not JSON, the result is a problem.
 * @param path without the prefix of the stage
 * @param key sent as a header; an empty key is not sent
 */
export async function askService<T>(
  path: string,
  key: string,
  { body, ...options }: Omit<RequestInit, 'body'> & { readonly body?: object | undefined } = {},
): Promise<ServiceResult<T>> {
  const headers = {
    Accept: 'application/json, image/webp',
    ...(key !== '' && { 'X-API-Key': key }),
    ...(body && { 'Content-Type': 'application/json' }),
  };
  const json = body && { body: JSON.stringify(body) };
  try {
    const response = await fetch(serviceRoot + path, { ...options, headers, ...json });
    const content: unknown = await response.json();
    return response.ok
      ? { ok: true, headers: response.headers, body: content as T }
      : { ok: false, headers: response.headers, problem: content as Problem };
  } catch {
    return { ok: false, headers: new Headers(), problem: unreachable };
  }
}
