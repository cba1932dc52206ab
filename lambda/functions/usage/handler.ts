/** The usage function: answers an account's own usage. Charges nothing, and is limited by the minute. */

import { routes } from '../../contract/routes';
import { usageBudgetMs } from '../../contract/timeouts';
import { rateHeaders } from '../../http/answer-headers';
import type { Edge } from '../../http/edge';
import { type HttpHandler, type HttpServices, httpHandler } from '../../http/http-handler';
import { type HttpRequest, keyHolderOf } from '../../http/http-request';
import { type HttpResult, jsonResponse } from '../../http/http-response';
import { usageReportLimitOf } from '../../quota/caller-limits';
import { takeFor } from '../../quota/charge';
import type { LimitServices } from '../../quota/take';
import { type ReportUsage, usageDocument } from '../../quota/usage/report-usage';

/** What the usage function is made with. */
export interface UsageServices extends HttpServices, LimitServices {
  readonly reportUsage: ReportUsage;
}

/** @param edge the distribution before the API; absent where callers reach the API itself */
export function usageHandler(services: Omit<UsageServices, 'deadline'>, edge?: Edge): HttpHandler {
  return httpHandler(services, {
    routes: { [routes.usage]: { GET: getUsage } },
    edge,
    budgetMs: usageBudgetMs,
  });
}

/** Each report is counted in the minute's reports of its account first. */
async function getUsage(services: UsageServices, request: HttpRequest): Promise<HttpResult> {
  const { reportUsage, clock } = services;
  const caller = keyHolderOf(request);
  if ('refusal' in caller) return caller;
  const nowMs = clock.nowMs();
  const refusal = await takeFor(services, [usageReportLimitOf(caller, nowMs)], request.requestId);
  if (refusal) return { refusal };
  const report = await reportUsage(caller, nowMs);
  return jsonResponse(usageDocument(caller, report), {
    ...rateHeaders(report.rateLimit, nowMs),
    Vary: 'Authorization, X-API-Key',
  });
}
