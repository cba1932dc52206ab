/** The usage function: reads who asks and answers with what that account used. Costs nothing. */

import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Refusal } from '../../domain/problem/problem';
import { readAdmission } from '../../http/event';
import { problemResponse } from '../../http/problem-response';
import { preflight, proxyResult, type Response } from '../../http/response';
import { rootOf } from '../../http/root-url';
import type { Clock } from '../../ports/clock';
import type { Telemetry } from '../../ports/telemetry';
import type { ReportUsage } from '../../usecases/usage/report-usage';
import { usageResponse } from './usage-response';

export interface UsageDeps {
  readonly reportUsage: ReportUsage;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly telemetry: Telemetry;
}

export type UsageHandler = (event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult>;

const usageMethods = ['GET', 'HEAD', 'OPTIONS'] as const;

/** Never rejects: whatever the tables throw is answered with `internal_error`. */
export function createHandler(deps: UsageDeps): UsageHandler {
  return async (event) => {
    const startedMs = deps.clock.nowMs();
    const response = await respond(deps, event).catch((error: unknown) => {
      const { requestId } = event.requestContext;
      deps.telemetry.error('The usage was not reported', error, { requestId });
      return refuse(deps, event, { code: 'internal_error' });
    });
    return proxyResult(response, event.httpMethod, deps.clock.nowMs() - startedMs);
  };
}

async function respond(deps: UsageDeps, event: APIGatewayProxyEvent): Promise<Response> {
  if (event.httpMethod === 'OPTIONS') return preflight(usageMethods);
  if (!(usageMethods as readonly string[]).includes(event.httpMethod))
    return refuse(deps, event, { code: 'method_not_allowed' }, usageMethods);

  const admission = readAdmission(event.requestContext.authorizer);
  if (admission.outcome === 'refused') return refuse(deps, event, { code: 'invalid_api_key' });
  if (admission.outcome === 'outage') return refuse(deps, event, { code: 'internal_error' });
  const { caller } = admission;
  if (caller.kind === 'anonymous') return refuse(deps, event, { code: 'authentication_required' });

  const nowMs = deps.clock.nowMs();
  return usageResponse(caller, await deps.reportUsage(caller, nowMs), nowMs);
}

function refuse(
  { clock, telemetry }: UsageDeps,
  event: APIGatewayProxyEvent,
  refusal: Refusal,
  allow?: readonly string[],
): Response {
  telemetry.count('refusals', { code: refusal.code });
  return problemResponse(refusal, {
    requestId: event.requestContext.requestId,
    nowMs: clock.nowMs(),
    rootUrl: rootOf(event),
    ...(allow ? { allow } : {}),
  });
}
