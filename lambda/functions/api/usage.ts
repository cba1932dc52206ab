/** Answers `GET /api/usage`: free of charge, and limited by the minute. */

import type { AccountId } from '../../credentials/caller';
import { readAccountKeys } from '../../credentials/key-store';
import { type HttpRequest, requireKeyHolder } from '../../http/http-request';
import { type HttpResult, makeJsonResponse } from '../../http/http-response';
import { writeRateHeaders } from '../../http/response-headers';
import { reportUsage } from '../../quota/usage/report-usage';
import type { Services } from '../../services/services';
import { takeSelfServiceUnit } from './self-service';

/** Reports the usage of the account. The request counts in its minute, together with those for keys. */
export async function getUsage(services: Services, request: HttpRequest): Promise<HttpResult> {
  const caller = requireKeyHolder(request);
  if ('refusal' in caller) return caller;
  const refusal = await takeSelfServiceUnit(services, caller, request);
  if (refusal) return refusal;
  const nowMs = services.clock.nowMs();
  const readKeys = (account: AccountId) => readAccountKeys(services, account);
  const { document, rateLimit } = await reportUsage(
    { ...services, plans: services.config.PLANS, readKeys },
    caller,
    nowMs,
  );
  return makeJsonResponse(document, {
    ...writeRateHeaders(rateLimit, nowMs),
    Vary: 'Authorization, X-API-Key',
  });
}
