/** Answers `POST /v1/images/generations` with the images of a batch: found, charged and published as by `POST /api/images`. */

import { signalWithin } from '../base/deadline';
import { batchBounds, pageBounds } from '../contract/batch';
import { queryCharactersMax, styles } from '../contract/request-bounds';
import { noteHeader, rateHeaders } from '../http/answer-headers';
import { type HttpRequest, keyHolderOf } from '../http/http-request';
import { type HttpResult, jsonResponse } from '../http/http-response';
import { readJsonBody } from '../http/read-body';
import type { ProviderUrl } from '../images/allowed-url';
import { asciiOf } from '../images/ascii';
import { download } from '../images/fetch/download';
import type { ImageRecord } from '../images/record';
import { answerBatch, type BatchResult } from '../pages/batch';
import { requestUrl } from '../pages/image-urls';
import { type Published, publishAs } from '../pages/publishing';
import type { Batch, BatchEntry } from '../pages/serve-batch';
import { generationInProgress } from '../problems/problem';
import type { ProblemDocument } from '../problems/problem-document';
import { plainRequest } from '../requests/image-request';
import { parseRequest } from '../requests/parse-request';
import type { Services } from '../services';
import { asOpenAiError, openAiError } from './errors';
import { type Order, readOrder } from './order';

const creditCharactersMax = 400;
const downloadMsMax = 8_000;

/** Refuses what is no order before anything is made; answers with the images that there are, and fails where there is none. */
export async function postGenerations(services: Services, request: HttpRequest): Promise<HttpResult> {
  const caller = keyHolderOf(request);
  if ('refusal' in caller) return caller;
  const body = readJsonBody(request, batchBounds.bytesMax);
  if ('refusal' in body) return body;
  const read = readOrder(body.json);
  if ('refused' in read) return read.refused;
  const { order } = read;
  const { isData } = order;
  const published = await publishAs(services, caller, {});
  if ('refusal' in published) return published;

  // The format is that of the answer, which the order names in place of a header.
  const header = (name: string) =>
    name === 'accept' ? `image/${order.output_format}` : request.header(name);
  const found = await imagesOf(order, (batch) =>
    answerBatch(services, { ...request, header }, batch, caller, published),
  );
  const nowMs = services.clock.nowMs();
  const rates = found.rateLimit ? rateHeaders(found.rateLimit, nowMs) : {};
  const records = found.results.filter((each): each is ImageRecord => !('code' in each));
  const [problem] = found.results.filter((each): each is ProblemDocument => 'code' in each);
  const loading = records.map(async (record) => {
    if (!isData) return { url: urlOf(record, published, request.rootUrl), revised_prompt: creditOf(record) };
    const data = await load(services, record.url);
    return data && { b64_json: data, revised_prompt: creditOf(record) };
  });
  const data = (await Promise.all(loading)).filter((item) => item !== undefined);
  while (isData && JSON.stringify(data).length > pageBounds.answerBytesMax) data.pop();
  if (data.length === 0) {
    const { retryAfterS: waitS = generationInProgress.retryAfterS } = found;
    const wait = { ...rates, 'Retry-After': String(waitS) };
    if (!problem) return openAiError(503, { message: 'No image loads.', code: 'service_unavailable' }, wait);
    const headers = problem.status === 429 || problem.status >= 500 ? wait : rates;
    return asOpenAiError({ body: JSON.stringify(problem), headers });
  }
  const short = `${data.length} of ${order.n} images: ${problem?.code ?? 'not loaded'}`;
  const credits = [...new Set(records.map(({ attribution }) => attribution.creditLine))].join('; ');
  const about = {
    'X-Image-Source': [...new Set(records.map(({ source }) => source))].join(', '),
    'X-Image-Attribution': asciiOf(credits).slice(0, creditCharactersMax),
    ...noteHeader([data.length < order.n ? short : undefined]),
  };
  return jsonResponse({ created: Math.floor(nowMs / 1_000), data }, { ...rates, ...about });
}

type Results = Omit<BatchResult, 'images'> & {
  readonly results: readonly (ImageRecord | ProblemDocument)[];
};

/** The images of an order, and what the others have failed by. */
async function imagesOf(order: Order, answer: (batch: Batch) => Promise<BatchResult>): Promise<Results> {
  const find = async (entries: readonly BatchEntry[]): Promise<Results> => {
    const { images, ...about } = await answer({ exclude: [], entries });
    return { ...about, results: Object.values(images) };
  };
  const numbers = Array.from({ length: order.n }, (_, index) => index);
  // The image itself comes first: a variation of one that is still being made costs a unit of its own.
  const entries =
    order.model === 'ai'
      ? [aiEntry(order, 0)]
      : await Promise.all(numbers.map((number) => stockEntry(order, number)));
  const found = await find(entries);
  const [first] = found.results;
  // A model's image, also where nothing fits; the others are its variations.
  if (!first || 'code' in first || first.source !== 'ai' || order.n === 1) return found;
  const more = await find(numbers.slice(1).map((number) => aiEntry(order, number)));
  return { ...more, results: [first, ...more.results] };
}

/** @param number 0 for the image itself, which is charged; the others are variations of it */
function aiEntry(order: Order, number: number): BatchEntry {
  const style = styles.find((each) => each === order.style) ?? styles[0];
  const variation = number > 0 && { variation: `${number}` };
  return entryOf(order, number, order.prompt, { provider: 'ai', style, ...variation });
}

/** Entries with the same words show different images. Of a long prompt, stock shows the subject. */
async function stockEntry(order: Order, number: number): Promise<BatchEntry> {
  const isLong = [...order.prompt].length > queryCharactersMax;
  const words = isLong ? await subjectOf(order.prompt) : order.prompt;
  return entryOf(order, number, words, order.model === 'auto' ? { onmiss: 'ai' } : {});
}

/** Loads the word tables, which the other routes of this part do without. */
async function subjectOf(prompt: string): Promise<string> {
  const { understand } = await import('../serving/uncached');
  return understand(prompt).cleaned;
}

function entryOf(
  { size }: Order,
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

/** URL of the image: by its pick, signed for this size, or of the file where the account has no signer. */
function urlOf(
  { url, pick, width: widthPx, height: heightPx }: ImageRecord,
  { credential }: Published,
  rootUrl: string,
): string {
  if (pick === null || credential === undefined) return url;
  return requestUrl(rootUrl, { ...plainRequest, pick, widthPx, heightPx }, credential);
}

/** The credit line of a stock image; `null` for an AI image. */
const creditOf = ({ source, attribution: { creditLine } }: ImageRecord) =>
  source === 'ai' ? null : creditLine;

/** The file of an image in base64; `undefined` where it cannot be had in time. */
async function load(services: Services, url: string): Promise<string | undefined> {
  const signal = signalWithin(services, downloadMsMax);
  const options = { headers: {}, bytesMax: pageBounds.answerBytesMax, signal };
  // The service has just chosen it itself.
  const file = await download(url as ProviderUrl, options).catch(() => undefined);
  return file?.outcome === 'downloaded' ? Buffer.from(file.bytes).toString('base64') : undefined;
}
