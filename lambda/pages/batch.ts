/** Answers `POST /api/images`: the records of all images of a page by slot, or the problem of a slot without one. */

import { batchBounds } from '../contract/batch';
import type { Caller } from '../credentials/caller';
import { rateHeaders } from '../http/answer-headers';
import { requestContextOf } from '../http/context-of-request';
import { type HttpRequest, keyHolderOf } from '../http/http-request';
import { type HttpRefusal, type HttpResult, jsonResponse } from '../http/http-response';
import { problemDocument, retryAfterS } from '../http/problem-response';
import { readJsonBody } from '../http/read-body';
import { type Answer, rateLimitOf, usageOf } from '../images/answer';
import type { ImageRecord } from '../images/record';
import type { RateLimitStatus } from '../problems/problem';
import type { ProblemDocument } from '../problems/problem-document';
import { accountLimit, takeFor } from '../quota/charge';
import { recordUsage } from '../quota/usage/usage';
import type { Services } from '../services';
import { imageRecord } from './image-record';
import { type ParsedBatch, parseBatch } from './parse-batch';
import { notePublished, type Published, publishAs } from './publishing';
import { type Batch, serveBatch } from './serve-batch';

/** What a batch is answered with, before it is put into HTTP. */
export interface BatchResult {
  readonly images: Readonly<Record<string, ImageRecord | ProblemDocument>>;
  readonly rateLimit?: RateLimitStatus;
  /** When to ask for the first image that is missing again, in seconds; absent where that changes nothing. */
  readonly retryAfterS?: number | undefined;
}

/** Refuses what is no JSON document of at most `batchBounds.bytesMax` bytes. */
export async function postImages(services: Services, request: HttpRequest): Promise<HttpResult> {
  const body = readJsonBody(request, batchBounds.bytesMax);
  if ('refusal' in body) return body;
  const result = await findImages(services, request, parseBatch(body.json));
  if ('refusal' in result) return result;
  const { images, rateLimit } = result;
  return jsonResponse({ images }, rateLimit && rateHeaders(rateLimit, services.clock.nowMs()));
}

/**
 * The records and problems of a batch that was read, by slot.
 * @param readCaller who may ask: by default the holder of a key
 */
export async function findImages(
  services: Services,
  request: HttpRequest,
  parsed: ParsedBatch,
  readCaller: (request: HttpRequest) => Caller | HttpRefusal = keyHolderOf,
): Promise<BatchResult | HttpRefusal> {
  const caller = readCaller(request);
  if (parsed.outcome === 'refused') return refuseBatch(services, request, caller, parsed);
  if ('refusal' in caller) return caller;
  const published = caller.kind === 'anonymous' ? undefined : await publishAs(services, caller, parsed.batch);
  if (published && 'refusal' in published) return published;
  return answerBatch(services, request, parsed.batch, caller, published);
}

/** The same for a known caller. @param published how the URLs of the records are published */
export async function answerBatch(
  services: Services,
  request: HttpRequest,
  batch: Batch,
  caller: Caller,
  published: Published | undefined,
): Promise<BatchResult> {
  const context = await requestContextOf(services, request, caller);
  const answers = await serveBatch(services, batch, caller, context);
  const account = accountLimit(context.requestLimits);
  const noting = answers.map(
    (answer, index) =>
      caller.kind === 'anonymous' ||
      notePublished(services, answer, caller, batch.entries[index]?.request, account),
  );
  await Promise.all([recordAll(services, request, caller, answers), ...noting]);
  const nowMs = services.clock.nowMs();
  const images = batch.entries.map(
    (entry, index) =>
      [entry.slot, shown(answers[index] as Answer, entry, request, published, nowMs)] as const,
  );
  const rateLimit = leftAfter(answers);
  const [missing] = answers.flatMap((answer) => (answer.outcome === 'refused' ? answer.refusal : []));
  return {
    images: Object.fromEntries(images),
    ...(rateLimit && { rateLimit }),
    ...(missing && { retryAfterS: retryAfterS(missing, nowMs) }),
  };
}

/** Reading a batch that is refused is work for its account or address, too. */
async function refuseBatch(
  services: Services,
  request: HttpRequest,
  caller: Caller | HttpRefusal,
  refused: HttpRefusal,
): Promise<HttpRefusal> {
  if ('refusal' in caller) return refused;
  const { workLimits, requestId } = await requestContextOf(services, request, caller);
  const limited = await takeFor(services, workLimits, requestId);
  return limited ? { refusal: limited } : refused;
}

function shown(
  answer: Answer,
  { request, note }: Batch['entries'][number],
  { requestId, rootUrl }: HttpRequest,
  published: Published | undefined,
  nowMs: number,
): ImageRecord | ProblemDocument {
  return answer.outcome === 'served'
    ? imageRecord(answer.image, {
        cache: answer.cache,
        request,
        ...(published && { published }),
        rootUrl,
        note,
      })
    : problemDocument(answer.refusal, { requestId, rootUrl, nowMs, note });
}

async function recordAll(
  services: Services,
  request: HttpRequest,
  caller: Caller,
  answers: readonly Answer[],
): Promise<void> {
  const { config, telemetry } = services;
  for (const answer of answers) {
    if (answer.outcome === 'refused') telemetry.count('refusals', { code: answer.refusal.code });
    else {
      const { image, cache } = answer;
      telemetry.count('requests', { source: image.source, cache, caller: caller.kind });
    }
  }
  await recordUsage(services, config.PLANS, caller, request, answers.flatMap(usageOf));
}

/** The rate limit status after the call: what its last charge has left, and what was given back since. */
function leftAfter(answers: readonly Answer[]): RateLimitStatus | undefined {
  const givenBack = answers.map(({ payment }) => (payment?.state === 'refunded' ? 1 : 0));
  const charged = answers.flatMap((answer, index) => {
    const status = rateLimitOf(answer);
    return status ? [{ ...status, remaining: status.remaining - (givenBack[index] ?? 0) }] : [];
  });
  const [last] = charged.toSorted((a, b) => a.remaining - b.remaining);
  const back = givenBack.reduce<number>((sum, each) => sum + each, 0);
  return last && { ...last, remaining: Math.min(last.limit, last.remaining + back) };
}
