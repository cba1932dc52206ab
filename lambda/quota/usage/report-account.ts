/** Reports what an account holds: its credentials, and which shares of its quota it has reached. */

import { isoSeconds, monthWindow } from '../../base/window';
import { type Plans, unlimitedRequests } from '../../contract/plans';
import type { ApiKeyRegister } from '../../credentials/api-keys';
import type { KeyedCaller } from '../../credentials/caller';
import { unitsAt, usageThresholdsPercent } from '../quota';
import type { UsageHistory } from './usage';
import type { AccountDocument } from './usage-schema';

interface ReportAccountDeps {
  readonly history: Pick<UsageHistory, 'announced'>;
  readonly apiKeys: Pick<ApiKeyRegister, 'ofAccount'>;
  readonly plans: Plans;
}

/** Charges nothing. @throws when a table does not answer. */
export type ReportAccount = (caller: KeyedCaller, nowMs: number) => Promise<AccountDocument>;

/** Shows the credentials of the caller's own mode alone, and no key or secret. */
export function createReportAccount({ history, apiKeys, plans }: ReportAccountDeps): ReportAccount {
  return async ({ account, accountName, plan, kind: mode }, nowMs) => {
    const limit = plans[plan].monthlyRequests;
    const isAnnounced = mode === 'live' && limit !== unlimitedRequests;
    const [reached, records] = await Promise.all([
      isAnnounced ? history.announced(account, monthWindow(nowMs).label) : undefined,
      apiKeys.ofAccount(account),
    ]);
    const thresholds = usageThresholdsPercent.map((percent): AccountDocument['thresholds'][number] => {
      const atMs = reached?.[percent];
      const reachedAt = atMs === undefined ? {} : { reachedAt: isoSeconds(atMs) };
      return { percent, requests: unitsAt(percent, limit), ...reachedAt };
    });
    const credentials = records.flatMap((record): AccountDocument['credentials'] => {
      const { keyId: id, publishedAs: kind = 'key', name, createdAt, expiresAt, revokedAt } = record;
      const { maxPerMonth, origins } = record;
      const ends = { ...(expiresAt && { expiresAt }), ...(revokedAt && { revokedAt }) };
      const bounds = {
        ...(maxPerMonth !== undefined && { maxPerMonth }),
        ...(origins && { origins: [...origins] }),
      };
      return record.mode === mode ? [{ id, kind, name, createdAt, ...ends, ...bounds }] : [];
    });
    return {
      account,
      ...(accountName === undefined ? {} : { accountName }),
      plan,
      mode,
      thresholds: isAnnounced ? thresholds : [],
      credentials,
    };
  };
}
