/** The usage function: answers an account's own usage, and what it holds. Charges nothing, and is limited by the minute. */

import type { Clock } from '../../base/clock';
import type { Telemetry } from '../../base/telemetry';
import { routes } from '../../contract/routes';
import { usageBudgetMs } from '../../contract/timeouts';
import type { KeyedCaller } from '../../credentials/caller';
import { rateHeaders } from '../../http/answer-headers';
import type { Edge } from '../../http/edge';
import { createHttpHandler, type HttpHandler } from '../../http/http-handler';
import { type HttpRequest, keyHolderOf } from '../../http/http-request';
import { type HttpResponse, type HttpResult, jsonResponse } from '../../http/http-response';
import { usageReportsOf } from '../../quota/fair-use';
import type { Ledger } from '../../quota/ledger';
import type { ReportAccount } from '../../quota/usage/report-account';
import { type ReportUsage, usageDocument } from '../../quota/usage/report-usage';

interface UsageDeps {
  readonly reportUsage: ReportUsage;
  readonly reportAccount: ReportAccount;
  readonly ledger: Pick<Ledger, 'take'>;
  readonly edge?: Edge | undefined;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

type Report = (caller: KeyedCaller, nowMs: number) => Promise<HttpResult>;

/** Each report is counted in the minute's reports of its account first. */
export function createHandler(deps: UsageDeps): HttpHandler {
  const { reportUsage, reportAccount, ledger, edge, clock, telemetry } = deps;
  const get = (report: Report) => ({
    GET: async (request: HttpRequest): Promise<HttpResult> => {
      const caller = keyHolderOf(request);
      if ('refusal' in caller) return caller;
      const nowMs = clock.nowMs();
      const charge = await ledger.take([usageReportsOf(caller, nowMs)], request.requestId);
      if (charge.outcome === 'refused') return { refusal: charge.refusal };
      return report(caller, nowMs);
    },
  });
  const getUsage: Report = async (caller, nowMs) => {
    const report = await reportUsage(caller, nowMs);
    return shown(usageDocument(caller, report), rateHeaders(report.rateLimit, nowMs));
  };
  const getAccount: Report = async (caller, nowMs) => shown(await reportAccount(caller, nowMs));
  const table = {
    [routes.usage]: get(getUsage),
    [routes.account]: get(getAccount),
  };
  return createHttpHandler({ routes: table, edge, budgetMs: usageBudgetMs, clock, telemetry });
}

function shown(document: object, headers: HttpResponse['headers'] = {}): HttpResponse {
  return jsonResponse(document, { ...headers, Vary: 'Authorization, X-API-Key' });
}
