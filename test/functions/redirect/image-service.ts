/** The image function with scripted dependencies. */

import type { APIGatewayProxyResult } from 'aws-lambda';
import { createLogTelemetry } from '../../../lambda/aws/telemetry/log-telemetry';
import { defaultPlans } from '../../../lambda/contract/plans';
import { createHandler, type RedirectDeps } from '../../../lambda/functions/redirect/handler';
import type { ServeAi } from '../../../lambda/generation/serve-ai';
import type { ServePermalink } from '../../../lambda/generation/serve-permalink';
import type { ServedImage } from '../../../lambda/images/image';
import { createLedger } from '../../../lambda/quota/ledger';
import type { RecordUsage } from '../../../lambda/quota/usage/usage';
import { createVerifyRequest } from '../../../lambda/requests/verify-request';
import { createServeImage, type ServeImage } from '../../../lambda/serving/serve-image';
import { createAnswerTest } from '../../../lambda/serving/test-values';
import { createServeStock } from '../../../lambda/stock/serve-stock';
import { master } from '../../../packages/client/test/vectors';
import { arrival } from '../../fakes/observed';
import { createFakePublishing } from '../../fakes/publishing';
import { createFakeQuotaCounters } from '../../fakes/quota-counters';
import { withoutOptions } from '../../fakes/redirect-options';
import { anImage, createFakeStock } from '../../fakes/stock';
import { createVirtualClock } from '../../fakes/virtual-clock';
import { type EventOptions, proxyEventOf } from './proxy-event';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The body as JSON. */
  readonly json: Readonly<Record<string, unknown>>;
}

const noAi = async (): ReturnType<ServeAi> => ({
  outcome: 'refused',
  refusal: { code: 'upstream_unavailable' },
});

export const startMs = Date.parse('2026-11-21T12:34:56Z');

/** The card for an image that is gone. */
const aGoneCard: ServedImage = { ...anImage, fallback: 'gone' };

/**
 * @param serveInstead answers in place of the use cases, for what stock requests alone cannot end in
 * @param servePermalink answers permalinks, of which there are none by default
 */
export function createImageService(
  serveInstead?: ServeImage,
  servePermalink: ServePermalink = async () => ({ outcome: 'refused', refusal: { code: 'not_found' } }),
  anonymousLimit: RedirectDeps['anonymousLimit'] = {},
) {
  const clock = createVirtualClock(startMs);
  const counters = createFakeQuotaCounters();
  const stock = createFakeStock();
  const publishing = createFakePublishing();
  const settled: Parameters<RecordUsage>[2][] = [];
  const lines: string[] = [];
  const telemetry = createLogTelemetry({
    functionName: 'redirect',
    write: (line) => lines.push(line),
    nowMs: clock.nowMs,
  });
  const ledger = createLedger({ counters, clock, telemetry });
  const loadTest = async () =>
    createAnswerTest({
      serve,
      ledger,
      goneCard: async () => aGoneCard,
      isSandbox: (slot) => slot === 'stock_c',
      plans: defaultPlans,
      clock,
    });
  const serve: ServeImage = createServeImage(createServeStock({ ledger, ...stock }), noAi, noAi, loadTest);
  const handler = createHandler({
    ...withoutOptions,
    serve: serveInstead ?? serve,
    servePermalink,
    loadPublishing: publishing.load,
    verify: createVerifyRequest({ readMaster: async () => master, nowMs: clock.nowMs }),
    loadBatch: () => Promise.reject(new Error('No batch is expected')),
    recordUsage: async (_caller, _request, outcomes) => {
      await arrival();
      settled.push(outcomes);
    },
    plans: defaultPlans,
    anonymousLimit,
    ipHashSecret: 'ip-hash-secret',
    maxAgeS: 3_600,
    imageBaseUrl: 'https://images.example',
    clock,
    telemetry,
  });
  const ask = async (options: EventOptions = {}): Promise<Answer> => {
    const result: APIGatewayProxyResult = await handler(proxyEventOf(options));
    const isJson = /json/.test(String(result.headers?.['Content-Type'])) && result.body !== '';
    return {
      status: result.statusCode,
      headers: (result.headers ?? {}) as Record<string, string>,
      body: result.body,
      json: isJson ? JSON.parse(result.body) : {},
    };
  };
  return { clock, counters, stock, lines, noted: publishing.noted, settled, handler, ask };
}

/** An image service that finds this image. */
export function serviceWith(change: Partial<ServedImage>) {
  const service = createImageService();
  service.stock.finds({ outcome: 'found', image: { ...anImage, ...change }, cache: 'MISS' });
  return service;
}

/** What an image tag sends. */
export const imageTag = { 'Sec-Fetch-Dest': 'image', Accept: 'image/avif,image/webp,image/*,*/*;q=0.8' };

const rateNames = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
];

/** Which of the rate headers are there: all five or none, wherever the service keeps its word. */
export function rateOf(headers: Readonly<Record<string, string>>): readonly string[] {
  return rateNames.filter((name) => name in headers);
}
