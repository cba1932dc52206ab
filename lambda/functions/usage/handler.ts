/** The usage function: answers an account's own usage. Charges nothing, and is limited by the minute. */

import type { Clock } from '../../base/clock';
import type { Telemetry } from '../../base/telemetry';
import { routes } from '../../contract/routes';
import type { KeyedCaller } from '../../credentials/caller';
import { rateHeaders } from '../../http/answer-headers';
import type { Edge } from '../../http/edge';
import { createHttpHandler, type HttpHandler } from '../../http/http-handler';
import { type HttpRequest, keyHolderOf } from '../../http/http-request';
import type { HttpResponse, HttpResult } from '../../http/http-response';
import { usageReportsOf } from '../../quota/fair-use';
import type { Ledger } from '../../quota/ledger';
import { type ReportUsage, type UsageReport, usageDocument } from '../../quota/usage/report-usage';

export interface UsageDeps {
  readonly reportUsage: ReportUsage;
  readonly ledger: Pick<Ledger, 'take'>;
  readonly edge?: Edge | undefined;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly telemetry: Telemetry;
}

export function createHandler({ reportUsage, ledger, edge, clock, telemetry }: UsageDeps): HttpHandler {
  const getUsage = async (request: HttpRequest): Promise<HttpResult> => {
    const caller = keyHolderOf(request);
    if ('refusal' in caller) return caller;
    const nowMs = clock.nowMs();
    const charge = await ledger.take([usageReportsOf(caller, nowMs)], request.requestId);
    if (charge.outcome === 'refused') return { refusal: charge.refusal };
    return usageResponse(caller, await reportUsage(caller, nowMs), nowMs);
  };
  return createHttpHandler({ routes: { [routes.usage]: { GET: getUsage } }, edge, clock, telemetry });
}

function usageResponse(caller: KeyedCaller, report: UsageReport, nowMs: number): HttpResponse {
  return {
    status: 200,
    headers: {
      ...rateHeaders(report.rateLimit, nowMs),
      'Cache-Control': 'no-store',
      Vary: 'Authorization, X-API-Key',
      'Content-Type': 'application/json; charset=utf-8',
    },
    body: JSON.stringify(usageDocument(caller, report)),
  };
}
