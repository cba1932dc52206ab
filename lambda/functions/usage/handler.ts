/** The usage function: answers an account's own usage. Charges nothing, and is limited by the minute. */

import type { Clock } from '../../base/clock';
import type { Telemetry } from '../../base/telemetry';
import { routes } from '../../contract/routes';
import { usageBudgetMs } from '../../contract/timeouts';
import { rateHeaders } from '../../http/answer-headers';
import type { Edge } from '../../http/edge';
import { createHttpHandler, type HttpHandler } from '../../http/http-handler';
import { type HttpRequest, keyHolderOf } from '../../http/http-request';
import { type HttpResult, jsonResponse } from '../../http/http-response';
import { usageReportsOf } from '../../quota/fair-use';
import type { Ledger } from '../../quota/ledger';
import { type ReportUsage, usageDocument } from '../../quota/usage/report-usage';

interface UsageDeps {
  readonly reportUsage: ReportUsage;
  readonly ledger: Pick<Ledger, 'take'>;
  readonly edge?: Edge | undefined;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** Each report is counted in the minute's reports of its account first. */
export function createHandler({ reportUsage, ledger, edge, clock, telemetry }: UsageDeps): HttpHandler {
  const GET = async (request: HttpRequest): Promise<HttpResult> => {
    const caller = keyHolderOf(request);
    if ('refusal' in caller) return caller;
    const nowMs = clock.nowMs();
    const charge = await ledger.take([usageReportsOf(caller, nowMs)], request.requestId);
    if (charge.outcome === 'refused') return { refusal: charge.refusal };
    const report = await reportUsage(caller, nowMs);
    return jsonResponse(usageDocument(caller, report), {
      ...rateHeaders(report.rateLimit, nowMs),
      Vary: 'Authorization, X-API-Key',
    });
  };
  return createHttpHandler({
    routes: { [routes.usage]: { GET } },
    edge,
    budgetMs: usageBudgetMs,
    clock,
    telemetry,
  });
}
