/** Responds to `POST /api/images`. Each slot of a page gets a record or a problem. */

import { batchBounds } from '../contract/request-bounds';
import type { Caller } from '../credentials/caller';
import { type HttpRequest, requireKeyHolder } from '../http/http-request';
import { type HttpRefusal, type HttpResult, makeJsonResponse } from '../http/http-response';
import { findRetryAfterS, makeProblemDocument } from '../http/problem-response';
import { readJsonBody } from '../http/read-body';
import { writeRateHeaders } from '../http/response-headers';
import type { ImageRecord } from '../images/record';
import type { KeyIssuer, RateLimitStatus } from '../problems/problem';
import type { ProblemDocument } from '../problems/problem-document';
import { getQuotaLimit } from '../quota/caller-limits';
import { addPaymentToRefusal } from '../quota/payment';
import { takeWork } from '../quota/take';
import { recordUsage } from '../quota/usage/usage';
import type { Services } from '../services/services';
import { readKeyIssuer } from '../services/settings';
import { type Answer, findRateLimit, listUsage } from '../serving/answer';
import { readRequestContext } from '../serving/request-context';
import { makeImageRecord, type RecordContext } from './image-record';
import { type ParsedBatch, parseBatch } from './parse-batch';
import { findUrlAccess, markViewsPaid, type UrlAccess } from './publishing';
import { type Batch, type BatchEntry, serveBatch } from './serve-batch';

/** The answer to a batch, before it is put into HTTP. */
export interface BatchResult {
  readonly images: Readonly<Record<string, ImageRecord | ProblemDocument>>;
  readonly rateLimit?: RateLimitStatus;
  /** Seconds until the first refused image may be requested again. Absent if a repetition is of no use. */
  readonly retryAfterS?: number | undefined;
}

/** Responds to a batch. The body must be JSON of at most `batchBounds.bytesMax` bytes. */
export async function postImages(services: Services, request: HttpRequest): Promise<HttpResult> {
  const caller = requireKeyHolder(request);
  if ('refusal' in caller) return caller;
  const body = readJsonBody(request, batchBounds.bytesMax);
  if ('refusal' in body) return body;
  const result = await answerBatch(services, request, parseBatch(body.json), caller);
  if ('refusal' in result) return result;
  const { images, rateLimit } = result;
  return makeJsonResponse({ images }, rateLimit && writeRateHeaders(rateLimit, services.clock.nowMs()));
}

/** Answers a parsed batch with its images, or refuses it. A refused batch takes a unit of `work`. */
export async function answerBatch(
  services: Services,
  request: HttpRequest,
  batchOrRefusal: ParsedBatch,
  caller: Caller,
): Promise<BatchResult | HttpRefusal> {
  if ('refusal' in batchOrRefusal) {
    // To read a refused batch costs as much as to read a valid one.
    const workRefusal = await takeWork(services, await readRequestContext(services, request, caller));
    return workRefusal ? { refusal: workRefusal } : batchOrRefusal;
  }
  const urlAccess =
    caller.kind === 'anonymous' ? undefined : await findUrlAccess(services, caller, batchOrRefusal);
  if (urlAccess && 'refusal' in urlAccess) return urlAccess;
  return serveRecords(services, request, batchOrRefusal, caller, urlAccess);
}

/** Serves the images of a batch, and makes their records. @param urlAccess absent for a caller without a key */
export async function serveRecords(
  services: Services,
  request: HttpRequest,
  batch: Batch,
  caller: Caller,
  urlAccess: UrlAccess | undefined,
): Promise<BatchResult> {
  const context = await readRequestContext(services, request, caller);
  const answers = await serveBatch(services, batch, { caller, context });
  const quota = getQuotaLimit(context.requestLimits);
  const marks = answers.map(
    (answer, index) =>
      caller.kind === 'anonymous' ||
      markViewsPaid(services, answer, caller, batch.entries[index]?.request, quota),
  );
  await Promise.all([countUsage(services, request, caller, answers), ...marks]);
  const { config, clock } = services;
  const { requestId, rootUrl } = request;
  const nowMs = clock.nowMs();
  const imageBaseUrl = config.IMAGE_BASE_URL;
  const batchContext = { ...readKeyIssuer(config), requestId, rootUrl, imageBaseUrl, nowMs, urlAccess };
  const images = batch.entries.map((entry, index) => {
    const answer = answers[index] as Answer;
    return [entry.pageSlot, makeRecordOrProblem(answer, entry, batchContext)] as const;
  });
  const rateLimit = computeRateLimit(answers);
  const [firstRefusal] = answers.flatMap((answer) => (answer.outcome === 'refused' ? answer.refusal : []));
  return {
    images: Object.fromEntries(images),
    ...(rateLimit && { rateLimit }),
    ...(firstRefusal && { retryAfterS: findRetryAfterS(firstRefusal, nowMs) }),
  };
}

function makeRecordOrProblem(
  answer: Answer,
  { request, note }: BatchEntry,
  batchContext: Omit<RecordContext, 'cache' | 'request' | 'note'> &
    Pick<HttpRequest, 'requestId'> &
    KeyIssuer,
): ImageRecord | ProblemDocument {
  return answer.outcome === 'served'
    ? makeImageRecord(answer.image, { ...batchContext, cache: answer.cache, request, note })
    : makeProblemDocument(addPaymentToRefusal(answer), { ...batchContext, note });
}

async function countUsage(
  services: Services,
  request: HttpRequest,
  caller: Caller,
  answers: readonly Answer[],
): Promise<void> {
  const { config, telemetry } = services;
  for (const answer of answers) {
    if (answer.outcome === 'served')
      telemetry.count('requests', { source: answer.image.source, cache: answer.cache, caller: caller.kind });
    else if (!answer.refusal.isTest) telemetry.count('refusedImages', { code: answer.refusal.code });
  }
  await recordUsage(services, config.PLANS, caller, request, answers.flatMap(listUsage));
}

/** Computes the rate limit after the call: the lowest rest after a charge, plus the refunds of all images. */
function computeRateLimit(answers: readonly Answer[]): RateLimitStatus | undefined {
  const isRefunded = ({ payment }: Answer) => payment?.state === 'refunded';
  const rateLimits = answers.flatMap((answer) => {
    const status = findRateLimit(answer);
    return status ? [{ ...status, remaining: status.remaining - Number(isRefunded(answer)) }] : [];
  });
  const [lowestRateLimit] = rateLimits.toSorted((a, b) => a.remaining - b.remaining);
  if (!lowestRateLimit) return undefined;
  const { limit, remaining } = lowestRateLimit;
  const refundCount = answers.filter(isRefunded).length;
  return { ...lowestRateLimit, remaining: Math.min(limit, remaining + refundCount) };
}
