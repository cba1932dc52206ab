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
import { type BatchResult, serveRecords } from '../pages/batch';
import { writeImageUrl } from '../pages/image-urls';
import { findUrlAccess, type UrlAccess } from '../pages/publishing';
import type { BatchEntry } from '../pages/serve-batch';
import type { ProblemDocument } from '../problems/problem-document';
import { type AiRequest, makeAiRequest, type StockRequest, stockDefaults } from '../requests/image-request';
import type { Services } from '../services/services';
import { loadImageCode } from '../serving/load-image-code';
import { writeNoImageError } from './errors';
import { type OpenAiRequest, parseOpenAiRequest } from './openai-request';

/** Responds with the images that were found, or with an error if none was found. */
export async function postGenerations(services: Services, request: HttpRequest): Promise<HttpResult> {
  const caller = requireKeyHolder(request);
  if ('refusal' in caller) return caller;
  const body = readJsonBody(request, batchBounds.bytesMax);
  if ('refusal' in body) return body;
  const openAiRequest = parseOpenAiRequest(body.json);
  if ('refusal' in openAiRequest) return openAiRequest.refusal;
  const urlAccess = await findUrlAccess(services, caller, {});
  if ('refusal' in urlAccess) return urlAccess;
  // The body names the format. A batch reads the format from the header `Accept`.
  const getHeader = (name: string) =>
    name === 'accept' ? `image/${openAiRequest.format}` : request.getHeader(name);
  const findEntryImages: FindEntryImages = (entries) =>
    serveRecords(services, { ...request, getHeader }, { exclude: [], entries }, caller, urlAccess);
  const { images, rateLimit, retryAfterS } = await findImages(openAiRequest, findEntryImages);
  const records = filterRecords(Object.values(images));
  const problem = Object.values(images).find((image): image is ProblemDocument => 'code' in image);
  const loadedImages = await loadImages(services, openAiRequest, records, urlAccess, request.rootUrl);
  const data = loadedImages.map(({ image }) => image);
  const nowMs = services.clock.nowMs();
  const rateHeaders = rateLimit ? writeRateHeaders(rateLimit, nowMs) : {};
  if (data.length === 0) return writeNoImageError(problem, rateHeaders, retryAfterS);
  const { imageCount, prompt } = openAiRequest;
  const missingNote = `${data.length} of ${imageCount} images: ${problem?.code ?? 'not loaded'}`;
  const isCut = isTooLongForStock(prompt) && loadedImages.some(({ record }) => record.source !== 'ai');
  const headers = {
    ...rateHeaders,
    ...writeSourceHeaders(loadedImages.map(({ record }) => record)),
    ...writeNoteHeader([
      data.length < imageCount ? missingNote : undefined,
      isCut ? `stock used the subject of the prompt, at most ${queryCharactersMax} characters` : undefined,
    ]),
  };
  return makeJsonResponse({ created: Math.floor(nowMs / 1_000), data }, headers);
}

type FindEntryImages = (entries: readonly BatchEntry[]) => Promise<BatchResult>;

const filterRecords = (results: readonly (ImageRecord | ProblemDocument)[]) =>
  results.filter((result): result is ImageRecord => !('code' in result));

/** Finds the images of a call. AI images are variations of the first, because they are free once it exists. */
async function findImages(
  openAiRequest: OpenAiRequest,
  findEntryImages: FindEntryImages,
): Promise<BatchResult> {
  const { model, imageCount } = openAiRequest;
  const entries = model === 'ai' ? [makeAiEntry(openAiRequest, 0)] : await makeStockEntries(openAiRequest);
  const result = await findEntryImages(entries);
  const [first, second] = filterRecords(Object.values(result.images));
  // A call for `auto` also gets one AI image if no stock image fits.
  if (first?.source !== 'ai' || second || imageCount === 1) return result;
  const otherNumbers = Array.from({ length: imageCount - 1 }, (_, index) => index + 1);
  const variations = await findEntryImages(otherNumbers.map((number) => makeAiEntry(openAiRequest, number)));
  return { ...variations, images: { 'image 0': first, ...variations.images } };
}

/** Makes the entry of an AI image. The image of number 0 is charged. The others are its variations. */
function makeAiEntry(
  openAiRequest: OpenAiRequest,
  number: number,
): BatchEntry & { readonly request: AiRequest } {
  const { prompt, style } = openAiRequest;
  const request = { ...makeAiRequest(makeStockRequest(openAiRequest, prompt)), style };
  return { pageSlot: `image ${number}`, request: number === 0 ? request : { ...request, variation: number } };
}

/**
 * Makes the entries of stock images. They have equal words, and show different images. The word tables that find
 * the subject of a long prompt are loaded only here, because other calls need none.
 */
async function makeStockEntries(openAiRequest: OpenAiRequest): Promise<readonly BatchEntry[]> {
  const { prompt, imageCount } = openAiRequest;
  const isLong = isTooLongForStock(prompt);
  const words = isLong ? (await loadImageCode()).parseSubject(prompt).cleaned : prompt;
  const request = makeStockRequest(openAiRequest, words);
  const { request: aiRequest } = makeAiEntry(openAiRequest, 0);
  return Array.from({ length: imageCount }, (_, number) => ({
    pageSlot: `image ${number}`,
    request,
    aiRequest,
  }));
}

const isTooLongForStock = (prompt: string) => [...prompt].length > queryCharactersMax;

function makeStockRequest({ model, size }: OpenAiRequest, query: string): StockRequest {
  const filters = model === 'auto' ? ({ onmiss: 'ai' } as const) : {};
  return { ...stockDefaults, ...size, query, filters, asJson: true };
}

/** Writes images in OpenAI's form. Leaves out images that do not load or exceed the size of a response. */
async function loadImages(
  services: Services,
  { isBase64 }: OpenAiRequest,
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
