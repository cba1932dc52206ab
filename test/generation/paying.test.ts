/** Who pays for the delivery of an AI image, and what is given back when there is none. */

import { hourWindow } from '../../lambda/base/window';
import type { KeyedCaller } from '../../lambda/credentials/caller';
import type { DeliveryOutcome, RenditionService } from '../../lambda/generation/deliver';
import type { Generation, GenerationIndex } from '../../lambda/generation/generation';
import { payFor } from '../../lambda/generation/pay-for';
import { createServePermalink, createServePicked } from '../../lambda/generation/serve-permalink';
import { paidImageRenditionsOf } from '../../lambda/quota/fair-use';
import { createLedger } from '../../lambda/quota/ledger';
import type { CounterCharge } from '../../lambda/quota/quota-counters';
import type { RequestContext } from '../../lambda/quota/request-context';
import type { Charges } from '../../lambda/quota/reservations';
import { plainRequest } from '../../lambda/requests/image-request';
import { accountId, deliveryUrl, imageKey } from '../fakes/branded';
import { readyGeneration } from '../fakes/ready-generation';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { aContext } from '../fakes/request-context';
import { aPlaceholder } from '../fakes/stock';

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

const lost: DeliveryOutcome = { outcome: 'lost' };

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
  const renditions = { isMade: async () => false, deliver: async () => shown } as unknown as RenditionService;
  const index = {
    byImageId: async () => found,
    markLost: async () => true,
    takeDelivery: async () => {
      done.push('take delivery');
      return true;
    },
  } as unknown as GenerationIndex;
  const contextOf = (caller: KeyedCaller) => aContext(caller, nowMs);
  const owner = callerOf('owner');
  const serving = { index, charges: {} as Charges, renditions, ledger };
  const permalink = createServePermalink(serving);
  const cards: object[] = [];
  const picked = createServePicked({
    ...serving,
    pickedImages: {
      imageId: async () => found.imageId,
      appearance: async () => ({ source: 'ai', color: '#123456', placeholder: aPlaceholder }),
    },
    renderer: {
      render: async ({ source }) => {
        cards.push(source);
        return { outcome: 'stored' };
      },
    },
    delivery: { publicUrl: (path) => deliveryUrl(`https://cdn.example/${path}`) },
  });
  return {
    done,
    pay: (changes: Partial<RequestContext> = {}) =>
      payFor({ index, renditions, ledger }, { generation: found, led: false }, size, {
        ...contextOf(owner),
        ...changes,
      }),
    cards,
    pick: (account: string) => {
      const caller = callerOf(account);
      return picked({ ...plainRequest, ...size, pick: 'p' }, caller, contextOf(caller));
    },
    placeholder: () => permalink(found.imageId, size, owner, contextOf(owner), true),
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

test('a new rendition of an image that is paid already counts in the limit of that image, and is refused beyond it', async () => {
  const { done, pay } = opened({ outcome: 'exhausted' }, delivered);
  const rateLimit = { limit: 9, remaining: 9, window: hourWindow(nowMs) };
  const payment = { state: 'free', because: 'paid-before', rateLimit } as const;
  expect(await pay({ payment })).toMatchObject({ outcome: 'served', payment });
  expect(done).toEqual([]);
  const renditions = [paidImageRenditionsOf(callerOf('owner'), 'PAID#1', nowMs)];
  expect(await pay({ payment, renditions })).toMatchObject({
    outcome: 'refused',
    refusal: { code: 'rate_limited', use: 'paid-image-renditions' },
    payment,
  });
  expect(done).toEqual(['charge']);
});

test('the placeholder of a permalink is a free delivery', async () => {
  const { placeholder } = opened({ outcome: 'charged', taken: 1 }, delivered);
  expect(await placeholder()).toMatchObject({ payment: { state: 'free', because: 'placeholder' } });
});

const privately = { ...generation, key: imageKey(`G#live#owner#private#${'a'.repeat(64)}`) };
const drawn = { kind: 'card', color: '#123456', placeholder: aPlaceholder.dataUri };
const plain = { kind: 'card', color: '#123456' };

test.each<[string, Generation, DeliveryOutcome, object, string[]]>([
  ['has lost its file', privately, lost, drawn, ['charge', 'refund']],
  ['has lost its file before', { ...privately, state: 'IDLE' }, delivered, drawn, []],
  ['was removed', { ...privately, state: 'REMOVED' }, delivered, plain, []],
])(
  'the pick of an image that %s shows its account a card, for nothing, and others nothing',
  async (...row) => {
    const [, found, shown, source, expected] = row;
    const { cards, done, pick } = opened({ outcome: 'charged', taken: 1 }, shown, found);
    expect(await pick('owner')).toMatchObject({
      outcome: 'served',
      image: { fallback: 'gone', source: 'ai', pick: 'p', ...size },
      payment: { state: 'free', because: 'no-image' },
    });
    expect([cards, done]).toEqual([[source], expected]);
    expect(await pick('other')).toMatchObject({ refusal: { code: 'no_image_found' } });
  },
);

test('the permalink of a removed image says so to those who could see it, and nothing to others', async () => {
  const codes = async (found: Generation) => {
    const { permalink, done } = opened({ outcome: 'charged', taken: 1 }, delivered, found);
    const answers = [await permalink('owner'), await permalink('other')];
    expect(done).toEqual([]);
    return answers.map((answer) => 'refusal' in answer && answer.refusal.code);
  };
  expect(await codes({ ...privately, state: 'REMOVED' })).toEqual(['image_removed', 'not_found']);
  expect(await codes({ ...generation, state: 'REMOVED' })).toEqual(['image_removed', 'image_removed']);
});
