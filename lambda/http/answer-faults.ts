/** The one place where a thrown fault becomes an answer: logged with its text, answered without it. */

import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { MeteredFault } from '../domain/problem/answer';
import { readImageEvent } from './event';
import { type RefusalDeps, refusalResponse } from './refusal-response';
import { proxyResult } from './response';

type Answering = MiddlewareObj<
  APIGatewayProxyEvent,
  APIGatewayProxyResult,
  Error,
  Context,
  { startedMs?: number }
>;

/** A middleware that answers every fault of an image handler with `internal_error`. */
export function answerFaults(deps: RefusalDeps): Answering {
  return {
    before: (request) => {
      request.internal.startedMs = deps.clock.nowMs();
    },
    onError: (request) => {
      const { error, event, internal } = request;
      const received = readImageEvent(event);
      deps.telemetry.error('A request failed', error, { requestId: received.requestId });
      const more = error instanceof MeteredFault ? { rateLimit: error.rateLimit } : {};
      const response = refusalResponse(deps, received, { code: 'internal_error' }, more);
      const tookMs = deps.clock.nowMs() - (internal.startedMs ?? deps.clock.nowMs());
      request.response = proxyResult(response, received.method, tookMs);
    },
  };
}
