/** Responds to `POST /v1/images/generations` with the images of a batch, in OpenAI's form. */

import { createSignal } from '../base/deadline';
import { batchBounds, pageBounds, queryCharactersMax } from '../contract/request-bounds';
import { imageFileTimeoutMs } from '../contract/timeouts';
import { type HttpRequest, requireKeyHolder } from '../http/http-request';
import { type HttpResult, makeJsonResponse } from '../http/http-response';
import { readJsonBody } from '../http/read-body';
import { writeNoteHeader, writeRateHeaders } from '../http/response-headers';
import type { ProviderUrl } from '../images/allowed-url';
import { creditCharactersMax, spellInAscii } from '../images/ascii';
import { downloadFile } from '../images/fetch/download';
import type { ImageRecord } from '../images/record';
import { type BatchResult, runBatch } from '../pages/batch';
import { writeImageUrl } from '../pages/image-urls';
import { findUrlAccess, type UrlAccess } from '../pages/publishing';
import type { BatchEntry } from '../pages/serve-batch';
import type { ProblemDocument } from '../problems/problem-document';
import { type AiRequest, makeAiRequest, type StockRequest, stockDefaults } from '../requests/image-request';
import type { Services } from '../services/services';
import { loadImageCode } from '../serving/load-image-code';
import { writeNoImageError } from './errors';
import { type OpenAiOrder, parseOrder } from './order';

/** Responds to an order with the images that were found, or with an error if none was found. */
export async function postGenerations(services: Services, request: HttpRequest): Promise<HttpResult> {
  const caller = requireKeyHolder(request);
  if ('refusal' in caller) return caller;
  const body = readJsonBody(request, batchBounds.bytesMax);
  if ('refusal' in body) return body;
  const orderOrRefusal = parseOrder(body.json);
  if ('refusal' in orderOrRefusal) return orderOrRefusal.refusal;
  const { order } = orderOrRefusal;
  const urlAccess = await findUrlAccess(services, caller, {});
  if ('refusal' in urlAccess) return urlAccess;
  // The format of an order stands in its body. A batch reads the format from the header `Accept`.
  const getHeader = (name: string) => (name === 'accept' ? `image/${order.format}` : request.getHeader(name));
  const findEntryImages: FindEntryImages = (entries) =>
    runBatch(services, { ...request, getHeader }, { exclude: [], entries }, caller, urlAccess);
  const result = await (order.model === 'ai'
    ? findAiImages(order, findEntryImages)
    : findStockImages(order, findEntryImages));
  const { rateLimit, retryAfterS } = result;
  const results = Object.values(result.images);
  const records = filterRecords(results);
  const problem = results.find((image): image is ProblemDocument => 'code' in image);
  const loadedImages = await loadImages(services, order, records, urlAccess, request.rootUrl);
  const data = loadedImages.map(({ image }) => image);
  const nowMs = services.clock.nowMs();
  const rateHeaders = rateLimit ? writeRateHeaders(rateLimit, nowMs) : {};
  if (data.length === 0) return writeNoImageError(problem, rateHeaders, retryAfterS);
  const missingNote = `${data.length} of ${order.imageCount} images: ${problem?.code ?? 'not loaded'}`;
  const headers = {
    ...rateHeaders,
    ...writeSourceHeaders(loadedImages.map(({ record }) => record)),
    ...writeNoteHeader([data.length < order.imageCount ? missingNote : undefined]),
  };
  return makeJsonResponse({ created: Math.floor(nowMs / 1_000), data }, headers);
}

type FindEntryImages = (entries: readonly BatchEntry[]) => Promise<BatchResult>;

const filterRecords = (results: readonly (ImageRecord | ProblemDocument)[]) =>
  results.filter((result): result is ImageRecord => !('code' in result));

/** Finds AI images. The first is made before its variations, because variations are free once it exists. */
async function findAiImages(order: OpenAiOrder, findEntryImages: FindEntryImages): Promise<BatchResult> {
  const result = await findEntryImages([makeAiEntry(order, 0)]);
  const [first] = filterRecords(Object.values(result.images));
  return first && order.imageCount > 1 ? addVariations(order, first, findEntryImages) : result;
}

/** Finds stock images. If none fits an order for `auto`, the answer is an AI image with its variations. */
async function findStockImages(order: OpenAiOrder, findEntryImages: FindEntryImages): Promise<BatchResult> {
  const entries = Array.from({ length: order.imageCount }, (_, number) => makeStockEntry(order, number));
  const result = await findEntryImages(await Promise.all(entries));
  const [first, second] = filterRecords(Object.values(result.images));
  return first?.source === 'ai' && !second && order.imageCount > 1
    ? addVariations(order, first, findEntryImages)
    : result;
}

async function addVariations(
  order: OpenAiOrder,
  first: ImageRecord,
  findEntryImages: FindEntryImages,
): Promise<BatchResult> {
  const entries = Array.from({ length: order.imageCount - 1 }, (_, index) => makeAiEntry(order, index + 1));
  const { images, ...result } = await findEntryImages(entries);
  return { ...result, images: { 'image 0': first, ...images } };
}

/** Makes the entry of an AI image. The image of number 0 is charged. The others are its variations. */
function makeAiEntry(order: OpenAiOrder, number: number): BatchEntry & { readonly request: AiRequest } {
  const request = { ...makeAiRequest(makeStockRequest(order, order.prompt)), style: order.style };
  return { pageSlot: `image ${number}`, request: number === 0 ? request : { ...request, variation: number } };
}

/**
 * Makes the entry of a stock image. Entries with equal words show different images. A prompt that is too long for
 * stock is cut to its subject. The word tables for that are loaded only here, because other calls need none.
 */
async function makeStockEntry(order: OpenAiOrder, number: number): Promise<BatchEntry> {
  const isLong = [...order.prompt].length > queryCharactersMax;
  const words = isLong ? (await loadImageCode()).parseSubject(order.prompt).cleaned : order.prompt;
  const request = makeStockRequest(order, words);
  return { pageSlot: `image ${number}`, request, aiRequest: makeAiEntry(order, 0).request };
}

function makeStockRequest({ model, size }: OpenAiOrder, query: string): StockRequest {
  const filters = model === 'auto' ? ({ onmiss: 'ai' } as const) : {};
  return { ...stockDefaults, ...size, query, filters, asJson: true };
}

/** Writes images in OpenAI's form. Leaves out images that do not load or exceed the size of a response. */
async function loadImages(
  services: Services,
  { isBase64 }: OpenAiOrder,
  records: readonly ImageRecord[],
  urlAccess: UrlAccess,
  rootUrl: string,
) {
  const images = records.map(async (record) => {
    const { source, attribution } = record;
    const revised_prompt = source === 'ai' ? null : attribution.creditLine;
    if (!isBase64) return { record, image: { url: signUrl(record, urlAccess, rootUrl), revised_prompt } };
    const b64_json = await loadInBase64(services, record.url);
    return b64_json === undefined ? undefined : { record, image: { b64_json, revised_prompt } };
  });
  const loadedImages = (await Promise.all(images)).filter((image) => image !== undefined);
  const countBytes = () => JSON.stringify(loadedImages.map(({ image }) => image)).length;
  while (isBase64 && countBytes() > pageBounds.answerBytesMax) loadedImages.pop();
  return loadedImages;
}

/** Signs a URL of the image's pick in this size. Without a signer it returns the URL of the file. */
function signUrl(
  { url, pick, width: widthPx, height: heightPx }: ImageRecord,
  { credential }: UrlAccess,
  rootUrl: string,
): string {
  if (pick === null || credential === undefined) return url;
  return writeImageUrl(rootUrl, { ...stockDefaults, pick, widthPx, heightPx }, credential);
}

async function loadInBase64(services: Services, url: string): Promise<string | undefined> {
  const signal = createSignal(services, imageFileTimeoutMs);
  const options = { headers: {}, bytesMax: pageBounds.answerBytesMax, signal };
  // The URL is allowed, because the service has just written it into the record.
  const file = await downloadFile(url as ProviderUrl, options).catch(() => undefined);
  return file?.outcome === 'downloaded' ? Buffer.from(file.bytes).toString('base64') : undefined;
}

function writeSourceHeaders(records: readonly ImageRecord[]) {
  const credits = [...new Set(records.map(({ attribution }) => attribution.creditLine))].join('; ');
  return {
    'X-Image-Source': [...new Set(records.map(({ source }) => source))].join(', '),
    'X-Image-Attribution': spellInAscii(credits).slice(0, creditCharactersMax),
  };
}
