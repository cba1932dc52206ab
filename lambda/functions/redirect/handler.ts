/** The image function: reads the event, lets the use cases work, and turns whatever happened into an answer. */

import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Plans } from '../../contract/plans';
import { imageMethods } from '../../contract/routes';
import { arrivalSkewMsMax, requestBudgetMs } from '../../contract/timeouts';
import type { Caller } from '../../domain/caller/caller';
import { ipHashOf } from '../../domain/caller/client-ip';
import type { Answer } from '../../domain/problem/answer';
import type { Refusal } from '../../domain/problem/problem';
import { allowanceOf, type RateLimitStatus } from '../../domain/quota/quota';
import { formatFor } from '../../domain/request/accept';
import type { RequestContext } from '../../domain/request/request-context';
import { answerFaults } from '../../http/answer-faults';
import { type ImageEvent, readImageEvent } from '../../http/event';
import { imageResponse } from '../../http/image-response';
import { refusalResponse } from '../../http/refusal-response';
import { preflight, proxyResult, type Response } from '../../http/response';
import type { Clock } from '../../ports/clock';
import type { Telemetry } from '../../ports/telemetry';
import type { ServePermalink } from '../../usecases/generation/serve-permalink';
import type { ServeImage } from '../../usecases/serve-image';
import type { RecordUsage } from '../../usecases/usage/record-usage';
import { parsePermalink, parseRequest } from './request/parse-request';

export interface RedirectDeps {
  readonly serve: ServeImage;
  readonly servePermalink: ServePermalink;
  readonly recordUsage: RecordUsage;
  readonly plans: Plans;
  /** Secret of the keyed hash under which client IP addresses are counted. */
  readonly ipHashSecret: string;
  /** Seconds a browser may keep a redirect. */
  readonly maxAgeS: number;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  /** Hears where the service is reached, before each request is worked on. */
  readonly onRootUrl?: (rootUrl: string) => void;
}

export type RedirectHandler = (event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult>;

/** Never rejects: `answerFaults` turns what the use cases throw into `internal_error`. */
export function createHandler(deps: RedirectDeps): RedirectHandler {
  const handle = async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
    const startedMs = deps.clock.nowMs();
    const received = readImageEvent(event);
    deps.onRootUrl?.(received.rootUrl);
    const response = await respond(deps, received, startedMs);
    return proxyResult(response, received.method, deps.clock.nowMs() - startedMs);
  };
  return middy(handle, { timeoutEarlyInMillis: 0 }).use(answerFaults(deps)) as unknown as RedirectHandler;
}

async function respond(deps: RedirectDeps, received: ImageEvent, startedMs: number): Promise<Response> {
  const refuse = (refusal: Refusal, rateLimit?: RateLimitStatus, allow?: readonly string[]) =>
    refusalResponse(deps, received, refusal, {
      ...(rateLimit ? { rateLimit } : {}),
      ...(allow ? { allow } : {}),
    });

  if (received.method === 'OPTIONS') return preflight(imageMethods);
  if (!(imageMethods as readonly string[]).includes(received.method))
    return refuse({ code: 'method_not_allowed' }, undefined, imageMethods);

  const parsed = parse(received);
  if (parsed.outcome === 'refused') return refuse(parsed.refusal);
  const { admission } = received;
  if (admission.outcome === 'refused') return refuse({ code: 'invalid_api_key' });
  if (admission.outcome === 'outage') return refuse({ code: 'internal_error' });

  const answer = await parsed.serve(
    deps,
    admission.caller,
    requestContextOf(deps, received, admission.caller, startedMs),
  );
  if (answer.outcome === 'refused') return refuse(answer.refusal, answer.rateLimit);
  const { image, cache } = answer;
  await deps.recordUsage(admission.caller, { source: image.source, cache }, startedMs);
  deps.telemetry.count('requests', { source: image.source, cache, caller: admission.caller.kind });
  const { asJson } = parsed;
  return imageResponse(answer, { asJson, maxAgeS: deps.maxAgeS, nowMs: deps.clock.nowMs() });
}

type Parsed =
  | { readonly outcome: 'refused'; readonly refusal: Refusal }
  | {
      readonly outcome: 'valid';
      readonly asJson: boolean;
      readonly serve: (deps: RedirectDeps, caller: Caller, context: RequestContext) => Promise<Answer>;
    };

/** A permalink asks for one image in a size; everything else asks for whatever fits its words. */
function parse({ raw, imageId }: ImageEvent): Parsed {
  if (imageId !== undefined) {
    const parsed = parsePermalink(raw);
    if (parsed.outcome === 'refused') return parsed;
    const { size, asJson } = parsed;
    return {
      outcome: 'valid',
      asJson,
      serve: ({ servePermalink }, caller, context) => servePermalink(imageId, size, caller, context),
    };
  }
  const parsed = parseRequest(raw);
  if (parsed.outcome === 'refused') return parsed;
  const { request } = parsed;
  return {
    outcome: 'valid',
    asJson: request.asJson,
    serve: ({ serve }, caller, context) => serve(request, caller, context),
  };
}

function requestContextOf(
  { plans, ipHashSecret }: RedirectDeps,
  { sourceIp, requestId, receivedMs, accept }: ImageEvent,
  caller: Caller,
  startedMs: number,
): RequestContext {
  const ipHash = caller.kind === 'anonymous' ? ipHashOf(sourceIp, ipHashSecret) : '';
  return {
    allowance: allowanceOf(caller, ipHash, plans, startedMs),
    requestId,
    format: formatFor(accept),
    // A clock that is off must neither end a request before it began nor let it wait for ever.
    deadlineMs: Math.min(startedMs, Math.max(receivedMs, startedMs - arrivalSkewMsMax)) + requestBudgetMs,
  };
}
