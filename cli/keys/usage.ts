/** Shows the usage report of an account. */

import { createExpiringCache } from '../../lambda/base/expiring-cache';
import type { KeyedCaller } from '../../lambda/credentials/caller';
import { readAccountKeys } from '../../lambda/credentials/key-store';
import { makeGenerationDayLimit } from '../../lambda/quota/caller-limits';
import { readUsedUnits } from '../../lambda/quota/take';
import { reportUsage } from '../../lambda/quota/usage/report-usage';
import type { UsageBreakdown, UsageDocument } from '../../lambda/quota/usage/usage-schema';
import { formatFields, formatTable, type Result } from '../output';
import type { Session } from '../service-command';
import { readNewestRecord, readPlans } from './accounts';

/** Shows the usage report of an account, and the AI images that all accounts have made today. */
export async function showUsage(session: Session<{ readonly test?: true }>): Promise<Result> {
  const { service, options, args } = session;
  const { account, accountName, plan, keyId } = await readNewestRecord(service, args[0] ?? '');
  const name = accountName === undefined ? {} : { accountName };
  const caller: KeyedCaller = { kind: options.test ? 'test' : 'live', account, ...name, plan, keyId };
  const services = {
    ...service,
    plans: readPlans(service),
    readKeys: () => readAccountKeys(service, account),
    pastMonths: createExpiringCache<never>(1),
  };
  const nowMs = service.clock.nowMs();
  const { document } = await reportUsage(services, caller, nowMs);
  const limit = Number(service.generationsPerDay);
  // The AI images of all accounts are counted only if the operator has set a limit for them.
  const used = limit > 0 ? await readUsedUnits(service, makeGenerationDayLimit(limit, nowMs)) : undefined;
  const day = used === undefined ? undefined : { limit, used };
  return { json: { ...document, ...(day && { day }) }, text: writeUsage(document, day) };
}

/** Writes a usage report for people. @param day AI images of all accounts today, if they have a limit */
function writeUsage({ breakdown, history, ...totals }: UsageDocument, day: object | undefined): string {
  const describeCounts = ({ requests, byCache, free }: Omit<UsageBreakdown['byDay'][number], 'date'>) => {
    return { charged: requests, fromCache: byCache.HIT, new: byCache.MISS, free };
  };
  const tables = [
    breakdown?.byDay.map((day) => ({ day: day.date, ...describeCounts(day) })),
    breakdown?.byKey?.map(({ keyId, requests: charged, free, name = '' }) => ({
      keyId,
      charged,
      free,
      name,
    })),
    Object.entries(breakdown?.refused ?? {}).map(([refused, requests]) => ({ refused, requests })),
    history?.map((month) => ({ month: month.month, ...describeCounts(month) })),
  ].map((rows = []) => formatTable(rows));
  return [formatFields({ ...totals, allGenerationsToday: day }), ...tables].filter(Boolean).join('\n\n');
}
