/** Answers `POST /v1/images/generations`: finds and charges its images as `POST /api/images` does. */

import { signalWithin } from '../base/deadline';
import { batchBounds, pageBounds } from '../contract/batch';
import { queryCharactersMax, styles } from '../contract/request-bounds';
import { noteHeader, rateHeaders } from '../http/answer-headers';
import { type HttpRequest, keyHolderOf } from '../http/http-request';
import { type HttpResult, jsonResponse } from '../http/http-response';
import { readJsonBody } from '../http/read-body';
import type { ProviderUrl } from '../images/allowed-url';
import { asciiOf, creditCharactersMax } from '../images/ascii';
import { download } from '../images/fetch/download';
import type { ImageRecord } from '../images/record';
import { answerBatch, type BatchResult } from '../pages/batch';
import { requestUrl } from '../pages/image-urls';
import { type VisitorAccess, visitorAccessFor } from '../pages/publishing';
import type { Batch, BatchEntry } from '../pages/serve-batch';
import { generationInProgress } from '../problems/problem';
import type { ProblemDocument } from '../problems/problem-document';
import { plainRequest } from '../requests/image-request';
import { parseRequest } from '../requests/parse-request';
import type { Services } from '../services';
import { asOpenAiError, openAiError } from './errors';
import { type OpenAiOrder, readOrder } from './order';

/** Time for which the file of an image is waited for, in milliseconds. */
const downloadMsMax = 8_000;

/** Answers an order with the images that there are, and with an error where there is none. */
export async function postGenerations(services: Services, request: HttpRequest): Promise<HttpResult> {
  const caller = keyHolderOf(request);
  if ('refusal' in caller) return caller;
  const body = readJsonBody(request, batchBounds.bytesMax);
  if ('refusal' in body) return body;
  const read = readOrder(body.json);
  if ('refused' in read) return read.refused;
  const { order } = read;
  const { isData } = order;
  const access = await visitorAccessFor(services, caller, {});
  if ('refusal' in access) return access;

  // An order names the format of its images in the body; a batch reads it from the header `Accept`.
  const header = (name: string) =>
    name === 'accept' ? `image/${order.output_format}` : request.header(name);
  const answered = await answerOrder(order, (batch) =>
    answerBatch(services, { ...request, header }, batch, caller, access),
  );
  const nowMs = services.clock.nowMs();
  const rates = answered.rateLimit ? rateHeaders(answered.rateLimit, nowMs) : {};
  const records = answered.results.filter((each): each is ImageRecord => !('code' in each));
  const [problem] = answered.results.filter((each): each is ProblemDocument => 'code' in each);
  const loading = records.map(async (record) => {
    if (!isData) return { url: urlOf(record, access, request.rootUrl), revised_prompt: creditOf(record) };
    const file = await fileInBase64(services, record.url);
    return file && { b64_json: file, revised_prompt: creditOf(record) };
  });
  const data = (await Promise.all(loading)).filter((item) => item !== undefined);
  while (isData && JSON.stringify(data).length > pageBounds.answerBytesMax) data.pop();
  if (data.length === 0) {
    const { retryAfterS = generationInProgress.retryAfterS } = answered;
    const wait = { ...rates, 'Retry-After': String(retryAfterS) };
    if (!problem) return openAiError(503, { message: 'No image loads.', code: 'service_unavailable' }, wait);
    const headers = problem.status === 429 || problem.status >= 500 ? wait : rates;
    return asOpenAiError({ body: JSON.stringify(problem), headers });
  }
  const missing = `${data.length} of ${order.n} images: ${problem?.code ?? 'not loaded'}`;
  const credits = [...new Set(records.map(({ attribution }) => attribution.creditLine))].join('; ');
  const headers = {
    ...rates,
    'X-Image-Source': [...new Set(records.map(({ source }) => source))].join(', '),
    'X-Image-Attribution': asciiOf(credits).slice(0, creditCharactersMax),
    ...noteHeader([data.length < order.n ? missing : undefined]),
  };
  return jsonResponse({ created: Math.floor(nowMs / 1_000), data }, headers);
}

type OrderResult = Omit<BatchResult, 'images'> & {
  /** One for each image, in their order. */
  readonly results: readonly (ImageRecord | ProblemDocument)[];
};

/** Finds the images of an order: of AI images the first one, and then its variations. */
async function answerOrder(
  order: OpenAiOrder,
  answer: (batch: Batch) => Promise<BatchResult>,
): Promise<OrderResult> {
  const find = async (entries: readonly BatchEntry[]): Promise<OrderResult> => {
    const { images, ...rest } = await answer({ exclude: [], entries });
    return { ...rest, results: Object.values(images) };
  };
  const numbers = Array.from({ length: order.n }, (_, index) => index);
  // The first image is made before its variations, which would be charged without it.
  const entries =
    order.model === 'ai'
      ? [aiEntry(order, 0)]
      : await Promise.all(numbers.map((number) => stockEntry(order, number)));
  const found = await find(entries);
  const [first] = found.results;
  // An order for `auto` gets an AI image, too, where no stock image fits.
  if (!first || 'code' in first || first.source !== 'ai' || order.n === 1) return found;
  const more = await find(numbers.slice(1).map((number) => aiEntry(order, number)));
  return { ...more, results: [first, ...more.results] };
}

/**
 * Makes the entry of an AI image.
 * @param number 0 for the first image, which is charged; the others are variations of it
 */
function aiEntry(order: OpenAiOrder, number: number): BatchEntry {
  const style = styles.find((each) => each === order.style) ?? styles[0];
  const variation = number > 0 && { variation: `${number}` };
  return entryOf(order, number, order.prompt, { provider: 'ai', style, ...variation });
}

/** Entries of equal words show different images. A prompt too long for stock is cut to its subject. */
async function stockEntry(order: OpenAiOrder, number: number): Promise<BatchEntry> {
  const isLong = [...order.prompt].length > queryCharactersMax;
  const words = isLong ? await subjectOf(order.prompt) : order.prompt;
  return entryOf(order, number, words, order.model === 'auto' ? { onmiss: 'ai' } : {});
}

/** The subject of a prompt. The word tables that it needs are loaded here, as other calls do without them. */
async function subjectOf(prompt: string): Promise<string> {
  const { subjectOf } = await import('../uncached');
  return subjectOf(prompt).cleaned;
}

function entryOf(
  { size }: OpenAiOrder,
  number: number,
  query: string,
  values: Readonly<Record<string, string>>,
): BatchEntry {
  const given = {
    ...values,
    query: 'prompt',
    width: `${size.width}`,
    height: `${size.height}`,
    format: 'json',
  };
  const lists = Object.entries(given).map(([name, value]) => [name, [value]]);
  const parsed = parseRequest({ query: Object.fromEntries(lists) });
  if ('refusal' in parsed) throw new Error('The order was judged wrongly');
  return { slot: `image ${number}`, request: { ...parsed.request, query } };
}

/** A signed URL of the image's pick in this size, or the URL of the file where the account has no signer. */
function urlOf(
  { url, pick, width: widthPx, height: heightPx }: ImageRecord,
  { credential }: VisitorAccess,
  rootUrl: string,
): string {
  if (pick === null || credential === undefined) return url;
  return requestUrl(rootUrl, { ...plainRequest, pick, widthPx, heightPx }, credential);
}

/** The credit line of a stock image; `null` for an AI image. */
const creditOf = ({ source, attribution: { creditLine } }: ImageRecord) =>
  source === 'ai' ? null : creditLine;

/** Loads the file of an image in base64; `undefined` where it cannot be loaded in time. */
async function fileInBase64(services: Services, url: string): Promise<string | undefined> {
  const signal = signalWithin(services, downloadMsMax);
  const options = { headers: {}, bytesMax: pageBounds.answerBytesMax, signal };
  // The URL is that of a record, which the service has just made.
  const file = await download(url as ProviderUrl, options).catch(() => undefined);
  return file?.outcome === 'downloaded' ? Buffer.from(file.bytes).toString('base64') : undefined;
}
