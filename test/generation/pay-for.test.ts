/** What a delivery that costs nothing counts as, and what is left of an image whose master is gone. */

import { monthWindow } from '../../lambda/base/window';
import { markLost, show } from '../../lambda/generation/pay-for';
import type { Payment } from '../../lambda/quota/payment';
import type { Operation } from '../../lambda/quota/reservations';
import { accountId, imageKey } from '../fakes/branded';
import { readyGeneration } from '../fakes/ready-generation';
import { aContext, generousLedger } from '../fakes/request-context';
import { anImage } from '../fakes/stock';

const nowMs = Date.UTC(2026, 10, 21, 12);
const rateLimit = { limit: 10, remaining: 9, window: monthWindow(nowMs) };
const ready = readyGeneration(imageKey(`G#live#acc_1#public#${'0'.repeat(64)}`), 'public/a/01/master.png');
const caller = { kind: 'live', account: accountId('acc_1'), plan: 'free', keyId: 'key_1' } as const;

test.each<[string, Payment['state'] | undefined, boolean, object]>([
  ['without a payment', undefined, false, { source: 'ai', cache: 'HIT', isFree: true }],
  ['that was led', undefined, true, { source: 'ai', cache: 'MISS', isFree: true }],
  ['that is owed', 'owed', false, { source: 'ai', cache: 'HIT' }],
])('a delivery %s is noted in the usage before it is made', async (_, state, led, noted) => {
  const seen: object[] = [];
  const renditions = {
    isMade: async () => true,
    deliver: async () => {
      expect(seen).toEqual([noted]);
      return { outcome: 'delivered', image: anImage } as const;
    },
  };
  const context = {
    ...aContext(caller, nowMs),
    usage: { expect: (outcome: object) => void seen.push(outcome) },
    ...(state && { payment: { state, rateLimit } as Payment }),
  };
  const deps = { renditions, ledger: generousLedger(rateLimit) };
  const answer = await show(deps, ready, { widthPx: 300, heightPx: 200 }, context, led, 'variation');
  expect(answer).toMatchObject({ outcome: 'served', cache: led ? 'MISS' : 'HIT' });
});

test.each<[string, object, string | undefined, readonly string[], boolean]>([
  ['that is settled is given up', {}, undefined, ['lost'], false],
  ['whose delivery is due stays for who may claim it', { due: true }, undefined, [], false],
  ['whose delivery is claimed is given up', { due: true }, 'request', ['taken by request', 'lost'], true],
  [
    'that is not settled is settled first',
    { settled: false, quotaKey: 'Q' },
    undefined,
    ['committed 1 of Q', 'settled', 'lost'],
    false,
  ],
  ['that was free is given up at once', { settled: false }, 'request', ['lost'], false],
])('an image %s', async (_, change, takenBy, expected, isClaimed) => {
  const calls: string[] = [];
  const index = {
    takeDelivery: async (_generation: unknown, by: string) => Boolean(calls.push(`taken by ${by}`)),
    markLost: async () => void calls.push('lost'),
    markSettled: async () => void calls.push('settled'),
  };
  const charges = {
    commit: async ({ cost, quotaKey }: Operation, prunable: readonly string[]) => {
      calls.push(`committed ${cost} of ${quotaKey}${prunable}`);
      return 'settled';
    },
  };
  const generation = { ...ready, due: false, settled: true, ...change };
  expect(await markLost({ index, charges } as never, generation, takenBy)).toBe(isClaimed);
  expect(calls).toEqual(expected);
});
