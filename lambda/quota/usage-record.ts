/** An account's usage in the form in which it is answered: to the account by the API, to the operator by the tool. */

import { isoSeconds } from '../base/window';
import type { KeyedCaller } from '../credentials/caller';
import type { UsageReport } from './usage/report-usage';

/** Moments are ISO 8601 in UTC, to the second. */
export function usageRecord(
  { account, accountName, plan, kind }: KeyedCaller,
  { rateLimit, used, generations, breakdown, history }: UsageReport,
) {
  const { limit, remaining, window } = rateLimit;
  const [start, end] = [isoSeconds(window.startMs), isoSeconds(window.endMs)];
  return {
    account,
    ...(accountName === undefined ? {} : { accountName }),
    plan,
    mode: kind,
    window: { kind: window.kind, start, end },
    limit,
    used,
    remaining,
    reset: end,
    ...(generations ? { generations } : {}),
    ...(breakdown ? { breakdown } : {}),
    ...(history ? { history } : {}),
  };
}
