/** Who pays for the delivery of an AI image, and what is given back when there is none. */

import { defaultPlans } from '../../lambda/contract/plans';
import type { KeyedCaller } from '../../lambda/credentials/caller';
import type { DeliveryOutcome, RenditionService } from '../../lambda/generation/deliver';
import type { Generation, GenerationIndex } from '../../lambda/generation/generation';
import { payFor } from '../../lambda/generation/pay-for';
import { createServePermalink } from '../../lambda/generation/serve-permalink';
import { createLedger } from '../../lambda/quota/ledger';
import { quotaOf } from '../../lambda/quota/quota';
import type { CounterCharge } from '../../lambda/quota/quota-counters';
import type { Charges } from '../../lambda/quota/reservations';
import { accountId, deliveryUrl, imageKey } from '../fakes/branded';
import { readyGeneration } from '../fakes/ready-generation';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';

const nowMs = Date.UTC(2026, 10, 21, 12);
const key = imageKey(`G#live#owner#public#${'a'.repeat(64)}`);
const generation = readyGeneration(key, 'public/a/01/master.png');
const delivered: DeliveryOutcome = {
  outcome: 'delivered',
  image: {
    location: deliveryUrl('https://cdn.example/a.webp'),
    widthPx: 100,
    heightPx: 100,
    source: 'ai',
    attribution: { providerName: 'AI', license: { id: 'ai', name: 'AI' }, creditLine: 'AI' },
  },
};
const unmade: DeliveryOutcome = { outcome: 'refused', refusal: { code: 'upstream_unavailable' } };
const size = { widthPx: 100, heightPx: 100 };
const callerOf = (account: string): KeyedCaller => ({
  kind: 'live',
  account: accountId(account),
  plan: 'pro',
  keyId: 'k',
});

const opened = (charged: CounterCharge, shown: DeliveryOutcome, found: Generation = generation) => {
  const done: string[] = [];
  const telemetry = createRecordedTelemetry();
  const ledger = createLedger({
    counters: {
      charge: async () => {
        done.push('charge');
        return charged;
      },
      refund: async () => void done.push('refund'),
      taken: async () => 0,
    },
    clock: { nowMs: () => nowMs },
    telemetry,
  });
  const renditions = { deliver: async () => shown } as unknown as RenditionService;
  const index = {
    byImageId: async () => found,
    takeDelivery: async () => {
      done.push('take delivery');
      return true;
    },
  } as unknown as GenerationIndex;
  const contextOf = (caller: KeyedCaller) =>
    ({
      quota: quotaOf(caller, '', defaultPlans, nowMs),
      searches: quotaOf(caller, '', defaultPlans, nowMs),
      requestId: 'r',
      format: 'webp',
      deadlineMs: nowMs + 1_000,
    }) as const;
  const owner = callerOf('owner');
  const permalink = createServePermalink({ index, charges: {} as Charges, renditions, ledger });
  return {
    done,
    pay: () =>
      payFor({ index, renditions, ledger }, { generation: found, led: false }, size, contextOf(owner)),
    permalink: (account: string) =>
      permalink(found.imageId, size, callerOf(account), contextOf(callerOf(account))),
  };
};

test('a charge is given back when no image could be delivered', async () => {
  const { done, pay } = opened({ outcome: 'charged', taken: 1 }, unmade);
  expect((await pay()).outcome).toBe('refused');
  expect(done).toEqual(['charge', 'refund']);
});

test('a charge whose outcome is unknown is never given back', async () => {
  const { done, pay } = opened({ outcome: 'unknown' }, unmade);
  expect((await pay()).outcome).toBe('refused');
  expect(done).toEqual(['charge']);
});

test('the owner’s permalink takes the delivery that the making has paid for', async () => {
  const { done, permalink } = opened({ outcome: 'charged', taken: 1 }, delivered, {
    ...generation,
    due: true,
  });
  expect((await permalink('owner')).outcome).toBe('served');
  expect(done).toEqual(['take delivery']);
});

test('another account’s permalink pays for itself and leaves the owner’s delivery alone', async () => {
  const { done, permalink } = opened({ outcome: 'charged', taken: 1 }, delivered, {
    ...generation,
    due: true,
  });
  expect((await permalink('other')).outcome).toBe('served');
  expect(done).toEqual(['charge']);
});
