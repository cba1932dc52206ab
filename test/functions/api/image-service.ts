/** The image function with scripted parts. */

import type { APIGatewayProxyResult } from 'aws-lambda';
import { createLogTelemetry } from '../../../lambda/aws/telemetry/log-telemetry';
import { apiHandler } from '../../../lambda/functions/api/handler';
import type { Answer as Outcome } from '../../../lambda/images/answer';
import type { ServedImage } from '../../../lambda/images/image';
import type { RequestContext } from '../../../lambda/quota/request-context';
import type { RecordUsage } from '../../../lambda/quota/usage/usage';
import type { ImageRequest } from '../../../lambda/requests/image-request';
import type { ImageServices, Parts } from '../../../lambda/services';
import { serveStock } from '../../../lambda/stock/serve-stock';
import { imageServices } from '../../fakes/image-services';
import { createFakeLimits } from '../../fakes/limits';
import { arrival } from '../../fakes/observed';
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

export const startMs = Date.parse('2026-11-21T12:34:56Z');

/** Answers a request for an image in place of the use cases. */
type ServeInstead = (request: ImageRequest, context: RequestContext) => Promise<Outcome>;

/**
 * @param serveInstead for what stock requests alone cannot end in
 * @param servePermalink answers permalinks, of which there are none by default
 */
export function createImageService(
  serveInstead?: ServeInstead,
  servePermalink?: Parts['servePermalink'],
  config: Partial<ImageServices['config']> = {},
) {
  const clock = createVirtualClock(startMs);
  const settled: Parameters<RecordUsage>[2][] = [];
  const lines: string[] = [];
  const telemetry = createLogTelemetry({
    functionName: 'redirect',
    write: (line) => lines.push(line),
    nowMs: clock.nowMs,
  });
  const counters = createFakeLimits(clock, telemetry);
  const stock = createFakeStock(counters);
  const { services, noted } = imageServices(
    {
      serveStock: serveInstead ?? ((request, context) => serveStock(stock, request, context)),
      ...(serveInstead && { serveAi: (request, _, context) => serveInstead(request, context) }),
      ...(servePermalink && { servePermalink }),
      recordUsage: async (_caller, _request, outcomes) => {
        await arrival();
        settled.push(outcomes);
      },
    },
    { clock, telemetry, config, limits: counters },
  );
  const handler = apiHandler(services);
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
  return { clock, counters, stock, lines, noted, settled, handler, ask };
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
