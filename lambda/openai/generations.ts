/** Answers `POST /v1/images/generations`: turns an order into a batch, and its records into OpenAI's data. */

import { signalWithin } from '../base/deadline';
import { batchBounds, pageBounds, queryCharactersMax } from '../contract/request-bounds';
import { imageFileTimeoutMs } from '../contract/timeouts';
import { type HttpRequest, requireKeyHolder } from '../http/http-request';
import { type HttpResult, jsonResponse } from '../http/http-response';
import { readJsonBody } from '../http/read-body';
import { noteHeader, rateHeaders } from '../http/response-headers';
import type { ProviderUrl } from '../images/allowed-url';
import { creditCharactersMax, spellInAscii } from '../images/ascii';
import { downloadFile } from '../images/fetch/download';
import type { ImageRecord } from '../images/record';
import { type BatchResult, runBatch } from '../pages/batch';
import { requestedUrl } from '../pages/image-urls';
import { findUrlAccess, type UrlAccess } from '../pages/publishing';
import type { BatchEntry } from '../pages/serve-batch';
import type { ProblemDocument } from '../problems/problem-document';
import { type AiRequest, makeAiRequest, plainRequest, type StockRequest } from '../requests/image-request';
import type { Services } from '../services/services';
import { noImageError } from './errors';
import { type OpenAiOrder, readOrder } from './order';

/** Answers an order with the images that were found, or with an error if none was. */
export async function postGenerations(services: Services, request: HttpRequest): Promise<HttpResult> {
  const caller = requireKeyHolder(request);
  if ('refusal' in caller) return caller;
  const body = readJsonBody(request, batchBounds.bytesMax);
  if ('refusal' in body) return body;
  const parsed = readOrder(body.json);
  if ('refused' in parsed) return parsed.refused;
  const { order } = parsed;
  const urlAccess = await findUrlAccess(services, caller, {});
  if ('refusal' in urlAccess) return urlAccess;
  // An order names the format of its images in the body; a batch reads it from the header `Accept`.
  const header = (name: string) => (name === 'accept' ? `image/${order.format}` : request.header(name));
  const find: FindBatch = (entries) =>
    runBatch(services, { ...request, header }, { exclude: [], entries }, caller, urlAccess);
  const found = await (order.model === 'ai' ? findAiImages(order, find) : findStockImages(order, find));
  const { images, rateLimit, retryAfterS } = found;
  const results = Object.values(images);
  const records = recordsIn(results);
  const problem = results.find((result): result is ProblemDocument => 'code' in result);
  const data = await loadImages(services, order, records, urlAccess, request.rootUrl);
  const nowMs = services.clock.nowMs();
  const rates = rateLimit ? rateHeaders(rateLimit, nowMs) : {};
  if (data.length === 0) return noImageError(problem, rates, retryAfterS);
  const missingNote = `${data.length} of ${order.n} images: ${problem?.code ?? 'not loaded'}`;
  const headers = {
    ...rates,
    ...sourceHeaders(records),
    ...noteHeader([data.length < order.n ? missingNote : undefined]),
  };
  return jsonResponse({ created: Math.floor(nowMs / 1_000), data }, headers);
}

type FindBatch = (entries: readonly BatchEntry[]) => Promise<BatchResult>;

const recordsIn = (results: readonly (ImageRecord | ProblemDocument)[]) =>
  results.filter((result): result is ImageRecord => !('code' in result));

/** Finds AI images: the first is made before its variations, which would be charged without it. */
async function findAiImages(order: OpenAiOrder, find: FindBatch): Promise<BatchResult> {
  const found = await find([aiEntry(order, 0)]);
  const [first] = recordsIn(Object.values(found.images));
  return first && order.n > 1 ? addVariations(order, first, find) : found;
}

/** Finds stock images. An order for `auto` gets one AI image, of any of its entries, where none of them fits. */
async function findStockImages(order: OpenAiOrder, find: FindBatch): Promise<BatchResult> {
  const entries = Array.from({ length: order.n }, (_, number) => stockEntry(order, number));
  const found = await find(await Promise.all(entries));
  const [first, second] = recordsIn(Object.values(found.images));
  return first?.source === 'ai' && !second && order.n > 1 ? addVariations(order, first, find) : found;
}

async function addVariations(order: OpenAiOrder, first: ImageRecord, find: FindBatch): Promise<BatchResult> {
  const entries = Array.from({ length: order.n - 1 }, (_, index) => aiEntry(order, index + 1));
  const { images, ...result } = await find(entries);
  return { ...result, images: { 'image 0': first, ...images } };
}

/** Makes an entry for an AI image: the first (number 0) is charged, and the others are variations of it. */
function aiEntry(order: OpenAiOrder, number: number): BatchEntry & { readonly request: AiRequest } {
  const request = { ...makeAiRequest(stockRequestOf(order, order.prompt)), style: order.style };
  return { pageSlot: `image ${number}`, request: number === 0 ? request : { ...request, variation: number } };
}

/**
 * Makes an entry for a stock image; those of equal words show different images. A prompt too long for stock
 * is cut to its subject: the word tables for that are loaded here, as other calls do without them.
 */
async function stockEntry(order: OpenAiOrder, number: number): Promise<BatchEntry> {
  const isLong = [...order.prompt].length > queryCharactersMax;
  const words = isLong
    ? (await import('../services/image-code')).readSubject(order.prompt).cleaned
    : order.prompt;
  const request = stockRequestOf(order, words);
  return { pageSlot: `image ${number}`, request, aiRequest: aiEntry(order, 0).request };
}

function stockRequestOf({ model, size }: OpenAiOrder, query: string): StockRequest {
  const filters = model === 'auto' ? ({ onmiss: 'ai' } as const) : {};
  return { ...plainRequest, ...size, query, filters, asJson: true };
}

/** Loads the images of an answer, in OpenAI's shape: as many as load and as an answer has room for. */
async function loadImages(
  services: Services,
  { isData }: OpenAiOrder,
  records: readonly ImageRecord[],
  urlAccess: UrlAccess,
  rootUrl: string,
) {
  const loading = records.map(async (record) => {
    const { source, attribution } = record;
    const revised_prompt = source === 'ai' ? null : attribution.creditLine;
    if (!isData) return { url: urlOf(record, urlAccess, rootUrl), revised_prompt };
    const b64_json = await loadInBase64(services, record.url);
    return b64_json === undefined ? undefined : { b64_json, revised_prompt };
  });
  const data = (await Promise.all(loading)).filter((image) => image !== undefined);
  while (isData && JSON.stringify(data).length > pageBounds.answerBytesMax) data.pop();
  return data;
}

/** Signs a URL of the image's pick in this size; the URL of the file if the account has no signer. */
function urlOf(
  { url, pick, width: widthPx, height: heightPx }: ImageRecord,
  { credential }: UrlAccess,
  rootUrl: string,
): string {
  if (pick === null || credential === undefined) return url;
  return requestedUrl(rootUrl, { ...plainRequest, pick, widthPx, heightPx }, credential);
}

async function loadInBase64(services: Services, url: string): Promise<string | undefined> {
  const signal = signalWithin(services, imageFileTimeoutMs);
  const options = { headers: {}, bytesMax: pageBounds.answerBytesMax, signal };
  // The URL is that of a record, which the service has just made.
  const file = await downloadFile(url as ProviderUrl, options).catch(() => undefined);
  return file?.outcome === 'downloaded' ? Buffer.from(file.bytes).toString('base64') : undefined;
}

function sourceHeaders(records: readonly ImageRecord[]) {
  const credits = [...new Set(records.map(({ attribution }) => attribution.creditLine))].join('; ');
  return {
    'X-Image-Source': [...new Set(records.map(({ source }) => source))].join(', '),
    'X-Image-Attribution': spellInAscii(credits).slice(0, creditCharactersMax),
  };
}
