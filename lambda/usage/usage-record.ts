/** An account's usage in the form in which it is answered: to the account by the API, to the operator by the tool. */

import { isoSeconds } from '../domain/answer/problem';
import type { KeyedCaller } from '../domain/caller/caller';
import type { UsageReport } from '../usecases/report-usage';

/** Moments are ISO 8601 in UTC, to the second. */
export function usageRecord(
  { account, plan, kind }: KeyedCaller,
  { standing, used, breakdown, history }: UsageReport,
) {
  const { limit, remaining, window } = standing;
  const [start, end] = [isoSeconds(window.startMs), isoSeconds(window.endMs)];
  return {
    account,
    plan,
    mode: kind,
    window: { kind: window.kind, start, end },
    limit,
    used,
    remaining,
    reset: end,
    ...(breakdown ? { breakdown } : {}),
    ...(history ? { history } : {}),
  };
}
