/** The function `api`, whose images a test scripts. */

import type { APIGatewayProxyResult } from 'aws-lambda';
import { createLogTelemetry } from '../../../lambda/aws/telemetry/log-telemetry';
import { createApiHandler } from '../../../lambda/functions/api/handler';
import type { ServedImage } from '../../../lambda/images/image';
import type { Services } from '../../../lambda/services/services';
import { createVirtualClock } from '../../fakes/clock';
import type { ScriptedImages } from '../../fakes/image-services';
import { createScriptedServices } from '../../fakes/image-services';
import { createFakeLimits } from '../../fakes/limits';
import { servedImage } from '../../fakes/values';
import { type EventOptions, makeProxyEvent } from './proxy-event';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The body as JSON. */
  readonly json: Readonly<Record<string, unknown>>;
}

export const startMs = Date.parse('2026-11-21T12:34:56Z');

/** Every image that is asked for is found, but where the test says otherwise. */
export function createImageService(
  scripted: Partial<ScriptedImages> = {},
  config: Partial<Services['config']> = {},
  beforeWrite?: (key: string) => Promise<void>,
) {
  const clock = createVirtualClock(startMs);
  const lines: string[] = [];
  const telemetry = createLogTelemetry({
    functionName: 'redirect',
    write: (line) => lines.push(line),
    nowMs: clock.nowMs,
  });
  const counters = createFakeLimits(clock, telemetry);
  const options = { clock, telemetry, config, limits: counters, ...(beforeWrite && { beforeWrite }) };
  const { services, stock, paidMarks, listUsage } = createScriptedServices(scripted, options);
  const handler = createApiHandler(services);
  const ask = async (options: EventOptions = {}): Promise<Answer> => {
    const result: APIGatewayProxyResult = await handler(makeProxyEvent(options));
    const isJson = /json/.test(String(result.headers?.['Content-Type'])) && result.body !== '';
    return {
      status: result.statusCode,
      headers: (result.headers ?? {}) as Record<string, string>,
      body: result.body,
      json: isJson ? JSON.parse(result.body) : {},
    };
  };
  return { clock, counters, services, stock, lines, paidMarks, listUsage, handler, ask };
}

/** An image service that finds this image. */
export function createServiceFinding(change: Partial<ServedImage>) {
  const service = createImageService();
  service.stock.setSearchResult({ outcome: 'served', image: { ...servedImage, ...change }, cache: 'MISS' });
  return service;
}

/** The headers of an image tag. */
export const imageTag = { 'Sec-Fetch-Dest': 'image', Accept: 'image/avif,image/webp,image/*,*/*;q=0.8' };

const rateNames = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
];

/** Returns the rate headers that are there: all five or none, where the service keeps its word. */
export function listRateHeaders(headers: Readonly<Record<string, string>>): readonly string[] {
  return rateNames.filter((name) => name in headers);
}
