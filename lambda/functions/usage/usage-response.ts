/** Answers with an account's usage. */

import type { KeyedCaller } from '../../domain/caller/caller';
import { rateHeaders } from '../../http/answer-headers';
import type { HttpResponse } from '../../http/http-response';
import type { UsageReport } from '../../usecases/usage/report-usage';
import { usageRecord } from './usage-record';

export function usageResponse(caller: KeyedCaller, report: UsageReport, nowMs: number): HttpResponse {
  return {
    status: 200,
    headers: {
      ...rateHeaders(report.rateLimit, nowMs),
      'Cache-Control': 'no-store',
      Vary: 'Authorization, X-API-Key',
      'Content-Type': 'application/json; charset=utf-8',
    },
    body: JSON.stringify(usageRecord(caller, report)),
  };
}
