/** How many requests a second one account can make before DynamoDB throttles its counter. */

import { randomBytes, randomUUID } from 'node:crypto';
import { ulidOf } from '../../../lambda/base/ulid';
import { defaultPlans, type PlanName, planNames, tierPerSecond } from '../../../lambda/contract/plans';
import { createCharges } from '../../../lambda/quota/dynamodb/charges';
import { createQuotaCounters } from '../../../lambda/quota/dynamodb/quota-counters';
import { chargedKey, quotaOf, reservationsKey } from '../../../lambda/quota/quota';
import { writeUnitsOf } from '../../contracts/item-bytes';
import { accountId } from '../../fakes/branded';
import { createRecordedTelemetry } from '../../fakes/recorded-telemetry';
import { createMemoryDynamoDb } from '../../simulation/memory-dynamodb';

/** Write units a second of one partition key, on demand or provisioned. */
const unitsPerKey = 1_000;
const nowMs = Date.UTC(2026, 10, 21, 12);
const clock = { nowMs: () => nowMs };

/** Requests a second that the counter of an account takes while so many images of it are generated. */
async function requestsPerSecond(plan: PlanName, pending: number): Promise<number> {
  const { send, items } = createMemoryDynamoDb();
  const telemetry = createRecordedTelemetry();
  const charges = createCharges({ db: { send }, tableName: 'quotaCounters', clock, telemetry });
  const counters = createQuotaCounters({ send }, 'quotaCounters', telemetry);
  const account = accountId('acc_0123456789abcdef01');
  const quota = quotaOf({ kind: 'live', plan, account, keyId: 'k' }, '', defaultPlans, nowMs);
  for (let i = 0; i < pending; i++) {
    const execution = ulidOf(nowMs, randomBytes(10));
    const imageId = randomBytes(16).toString('hex');
    const operation = {
      quotaKey: reservationsKey(quota),
      execution,
      cost: 1,
      imageId,
      dueMs: nowMs + 150_000,
    };
    const limits = { quota, heldMax: defaultPlans[plan].generationsAtOnce };
    expect((await charges.reserve(operation, limits)).outcome).toBe('reserved');
  }
  const written = new Map<string, number>();
  const requests = 20_000;
  for (let i = 0; i < requests; i++) {
    const pk = chargedKey(quota, randomUUID());
    written.set(pk, (written.get(pk) ?? 0) + 1);
  }
  await counters.charge(quota, 'r');
  const [charged] = [...items('quotaCounters')].filter(([pk]) => written.has(pk));
  const units = writeUnitsOf(charged?.[1] ?? {});
  const share = Math.max(...written.values()) / requests;
  return unitsPerKey / units / share;
}

/** One item takes a thousand small writes a second; an account without a limit is spread over several items. */
const wantedPerSecond = (plan: PlanName) => (plan === 'enterprise' ? tierPerSecond.enterprise : 500);

test.each(planNames)('one %s account reaches what one item, or its tier, lets through', async (plan) => {
  expect(await requestsPerSecond(plan, 0)).toBeGreaterThanOrEqual(wantedPerSecond(plan));
});

test.each(planNames)('one %s account does so while it generates all it may', async (plan) => {
  const besides = await requestsPerSecond(plan, defaultPlans[plan].generationsAtOnce);
  expect(besides).toBeGreaterThanOrEqual(wantedPerSecond(plan));
});
