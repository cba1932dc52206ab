/** Fetches the record of one image, or the records of all images of a page in one call. */

import { buildEndpointUrl, type ImageSpec, imageUrl, type SpecOf, writeParameters } from './image-url';
import type { ImageRecord, Problem } from './service';

export interface FetchOptions {
  /** API key, `pk_…`, for servers and build steps. It is sent in a header and must not get into a page. */
  readonly key?: string;
  /** Aborts the call. Without a signal it is aborted after 30 seconds. No call is repeated. */
  readonly signal?: AbortSignal;
}

export type BatchImage = ImageSpec & {
  /** A name for the image that is unique in its batch. */
  readonly slot: string;
};

export interface Batch {
  /** Picks of images that are not to be found, such as those that the page shows already. At most 200. */
  readonly exclude?: readonly string[];
  /** From 1 to 24 images. */
  readonly images: readonly BatchImage[];
}

/** The error for a response without an image. */
export class ImageProblem extends Error {
  override readonly name = 'ImageProblem';

  constructor(
    readonly status: number,
    /** `undefined` for a response that is no problem document, such as one of a proxy. */
    readonly problem: Problem | undefined,
    readonly code = problem?.code,
  ) {
    super(problem?.detail ?? `HTTP ${status}`);
  }
}

/** Fetches a record. The call is charged like the image. @throws `ImageProblem`, or what `imageUrl` or `fetch` throws */
export const fetchRecord = async <Base extends string>(
  base: Base,
  spec: SpecOf<Base>,
  options?: FetchOptions,
): Promise<ImageRecord> => fetchRecordAt(imageUrl(base, spec), options);

export const fetchRecordAt = (url: string, options: FetchOptions = {}): Promise<ImageRecord> =>
  requestJson(`${url}${url.includes('?') ? '&' : '?'}format=json`, options);

/**
 * Fetches the records of up to 24 different images, by slot. A slot without an image has a problem.
 * @throws `ImageProblem` if the whole call is refused, or what `fetch` throws
 */
export async function fetchBatch(
  base: string,
  { images, ...call }: Batch,
  options: FetchOptions,
): Promise<Record<string, ImageRecord | Problem>> {
  const body = { ...call, images: images.map((image) => ({ slot: image.slot, ...writeParameters(image) })) };
  type Body = { images: Record<string, ImageRecord | Problem> };
  return (await requestJson<Body>(buildEndpointUrl(base, 'images'), options, JSON.stringify(body))).images;
}

/** Returns true if a slot of a batch has a problem in place of a record. */
export const isProblem = (answer: ImageRecord | Problem): answer is Problem => 'code' in answer;

async function requestJson<T>(url: string, { key, signal }: FetchOptions, body?: string): Promise<T> {
  const json = 'application/json';
  const headers = { Accept: json, ...(key && { 'X-API-Key': key }), ...(body && { 'Content-Type': json }) };
  const post = body ? { method: 'POST', body } : {};
  const response = await fetch(url, { ...post, headers, signal: signal ?? AbortSignal.timeout(30_000) });
  if (response.ok) return (await response.json()) as T;
  const problem = (await response.json().catch(() => undefined)) as Problem | undefined;
  throw new ImageProblem(response.status, problem);
}

/** Calls `work` for each URL. Four calls run at once. */
export async function runInFours<Result>(urls: Iterable<string>, work: (url: string) => Promise<Result>) {
  const results = new Map<string, Result>();
  const waitingUrls = new Set(urls).values();
  const runWorker = async () => {
    for (const url of waitingUrls) results.set(url, await work(url));
  };
  await Promise.all([runWorker(), runWorker(), runWorker(), runWorker()]);
  return results;
}

/** Lists the origins that the images of records are loaded from, for `<link rel="preconnect">`. */
export function hosts(...records: readonly Pick<ImageRecord, 'url' | 'srcset'>[]): string[] {
  const urls = records.flatMap(({ url, srcset }) => [url, ...(srcset ?? '').split(/\s\S{1,20},\s/)]);
  return [...new Set(urls.flatMap((url) => /^https?:\/\/[^/?#]+/.exec(url) ?? []))];
}
