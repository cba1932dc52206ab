/** What a search costs its caller, and whose share of a provider’s budget it takes. */

import type { RequestContext } from '../../lambda/quota/request-context';
import { createSearchCaller, isNotClaimed, NotClaimed } from '../../lambda/stock/search-caller';
import { accountId } from '../fakes/branded';
import { aContext, generousLedger } from '../fakes/request-context';

const context = aContext({ kind: 'anonymous' }, 0, { requestId: 'r1' });
const ofKey = aContext({ kind: 'live', account: accountId('acc_1'), plan: 'pro', keyId: 'k' }, 0);
const rateLimit = { limit: 1, remaining: 0, window: context.quota.window };
const refusal = { code: 'rate_limited', use: 'searches', rateLimit } as const;
/** @param refused whether nothing may be taken */
function callerOf(changes: Partial<RequestContext> = {}, refused = false) {
  const taken: unknown[] = [];
  const generous = generousLedger(rateLimit);
  const caller = createSearchCaller(
    {
      take: async (limits, id) => {
        taken.push([limits, id]);
        return refused ? { outcome: 'refused', refusal } : generous.take(limits, id);
      },
    },
    { ...context, ...changes },
  );
  return { caller, taken };
}

it.each([
  ['anonymous', 'anonymous', context],
  ['keyed', 'acc_1', ofKey],
])('is %s, and has its uses reported for %s', (share, owner, { quota }) =>
  expect(callerOf({ quota }).caller).toMatchObject({ share, owner }),
);

it('is charged once for all searches of its request', async () => {
  const { caller, taken } = callerOf();
  expect(await Promise.all([caller.chargeSearch(), caller.chargeSearch()])).toEqual([undefined, undefined]);
  expect(taken).toEqual([[context.searches, 'r1']]);
  expect(await callerOf({}, true).caller.chargeSearch()).toBe(refusal);
});

it('that has paid already searches without a charge', async () => {
  const { caller, taken } = callerOf({ payment: { state: 'charged', rateLimit } }, true);
  expect([await caller.chargeSearch(), taken]).toEqual([undefined, []]);
});

it('knows by its name that an image is not shown', () => {
  expect(isNotClaimed(new NotClaimed())).toBe(true);
  expect(isNotClaimed(new Error('out of order'))).toBe(false);
  expect(isNotClaimed({ name: 'NotClaimed' })).toBe(false);
});
