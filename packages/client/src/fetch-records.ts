/** Fetches the record of one image, or for all images of a page in one call. */

import { apiParameters, endpointUrl, type ImageSpec, imageUrl, type SpecOf } from './image-url';
import type { ImageRecord, Problem } from './service';

/** Options of fetching records. */
export interface FetchOptions {
  /** API key, `pk_…`, for servers and build steps; it must be in no page. It is sent in a header. */
  readonly key?: string;
  /** Ends the call, which otherwise ends after 30 seconds. No call is repeated. */
  readonly signal?: AbortSignal;
}

/** An image of a batch. */
export type BatchImage = ImageSpec & {
  /** Name of the image within the page. */
  readonly slot: string;
};

/** The images of one call. */
export interface Batch {
  /** Picks that no image may have, such as those that the page shows already. At most 200. */
  readonly exclude?: readonly string[];
  /** 1 to 24. */
  readonly images: readonly BatchImage[];
}

/** An answer other than an image. */
export class ImageProblem extends Error {
  override readonly name = 'ImageProblem';

  constructor(
    readonly status: number,
    /** `undefined` for an answer that is no problem document, such as a gateway's. */
    readonly problem: Problem | undefined,
    readonly code = problem?.code,
  ) {
    super(problem?.detail ?? `HTTP ${status}`);
  }
}

/** Fetches a record; charged like the image. @throws `ImageProblem`, or as `fetch` */
export const fetchRecord = <Base extends string>(
  base: Base,
  spec: SpecOf<Base>,
  options?: FetchOptions,
): Promise<ImageRecord> => fetchRecordAt(imageUrl(base, spec), options);

/** Fetches the record of an image by its URL. @throws as `fetchRecord` */
export const fetchRecordAt = (url: string, options: FetchOptions = {}): Promise<ImageRecord> =>
  request(`${url}${url.includes('?') ? '&' : '?'}format=json`, options);

/**
 * Fetches records by slot, of up to 24 images, none of them twice. A slot without an image holds the problem.
 * @throws `ImageProblem` when the call as a whole is refused, or as `fetch`
 */
export async function fetchBatch(
  base: string,
  { images, ...call }: Batch,
  options: FetchOptions,
): Promise<Record<string, ImageRecord | Problem>> {
  const body = { ...call, images: images.map((image) => ({ slot: image.slot, ...apiParameters(image) })) };
  type Answer = { images: Record<string, ImageRecord | Problem> };
  return (await request<Answer>(endpointUrl(base, 'images'), options, JSON.stringify(body))).images;
}

/** Whether a slot of a batch holds a problem instead of a record. */
export const isProblem = (answer: ImageRecord | Problem): answer is Problem => 'code' in answer;

async function request<T>(url: string, { key, signal }: FetchOptions, body?: string): Promise<T> {
  const json = 'application/json';
  const headers = { Accept: json, ...(key && { 'X-API-Key': key }), ...(body && { 'Content-Type': json }) };
  const sent = body ? { method: 'POST', body } : {};
  const response = await fetch(url, { ...sent, headers, signal: signal ?? AbortSignal.timeout(30_000) });
  if (response.ok) return (await response.json()) as T;
  const problem = (await response.json().catch(() => undefined)) as Problem | undefined;
  throw new ImageProblem(response.status, problem);
}

/** Lists the origins of records' images and of their `srcset`, for `<link rel="preconnect">`. */
export function hosts(...records: readonly Pick<ImageRecord, 'url' | 'srcset'>[]): string[] {
  const urls = records.flatMap(({ url, srcset }) => [url, ...(srcset ?? '').split(/\s\S{1,20},\s/)]);
  return [...new Set(urls.flatMap((url) => /^https?:\/\/[^/?#]+/.exec(url) ?? []))];
}
