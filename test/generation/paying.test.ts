/** Who pays for the delivery of an AI image, and what is given back when there is none. */

import { hourWindow } from '../../lambda/base/window';
import type { KeyedCaller } from '../../lambda/credentials/caller';
import type { DeliveryOutcome, RenditionService } from '../../lambda/generation/deliver';
import type { Generation, GenerationIndex } from '../../lambda/generation/generation';
import { payFor, takeFree } from '../../lambda/generation/pay-for';
import { createServePermalink, createServePicked } from '../../lambda/generation/serve-permalink';
import { throttleRefusal } from '../../lambda/problems/problem';
import { paidImageRenditionsOf } from '../../lambda/quota/fair-use';
import { createLedger, type Ledger } from '../../lambda/quota/ledger';
import type { Payment } from '../../lambda/quota/payment';
import { counterKey, rateLimitStatusOf } from '../../lambda/quota/quota';
import type { CounterCharge } from '../../lambda/quota/quota-counters';
import type { RequestContext } from '../../lambda/quota/request-context';
import type { Charges } from '../../lambda/quota/reservations';
import { plainRequest, type StockRequest } from '../../lambda/requests/image-request';
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
  const renditions: RenditionService = {
    isMade: async () => false,
    deliver: async (_, wanted) =>
      shown.outcome === 'delivered' ? { ...shown, image: { ...shown.image, ...wanted } } : shown,
  };
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
    pick: (account: string, request: Partial<StockRequest> = {}, publishedAs?: 'site' | 'signer') => {
      const caller = { ...callerOf(account), ...(publishedAs && { publishedAs }) };
      return picked({ ...plainRequest, ...size, pick: 'p', ...request }, caller, contextOf(caller));
    },
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

test('another account’s permalink of an image that is lost leaves the owner’s delivery alone', async () => {
  const { done, permalink } = opened({ outcome: 'charged', taken: 1 }, lost, { ...generation, due: true });
  expect(await permalink('other')).toMatchObject({ refusal: { code: 'not_found' } });
  expect(done).toEqual(['charge', 'refund']);
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

test('the pick of an image shows it in the size and with the mark of the request', async () => {
  const { pick } = opened({ outcome: 'charged', taken: 1 }, delivered);
  const wanted = { widthPx: 300, heightPx: 200, label: 'corner' } as const;
  expect(await pick('owner', wanted)).toMatchObject({ outcome: 'served', image: wanted });
});

test.each([
  ['by the pick of a signed URL', 'signer', 'served'],
  ['to no site key', 'site', 'refused'],
] as const)('an AI image is shown %s', async (_, publishedAs, outcome) => {
  const { pick } = opened({ outcome: 'charged', taken: 1 }, delivered);
  expect((await pick('owner', {}, publishedAs)).outcome).toBe(outcome);
});

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

describe('what is counted and settled beside the charge', () => {
  const context = aContext(callerOf('owner'), nowMs);
  const counting = (outcome: 'taken' | 'refused' = 'taken') => {
    const taken: string[] = [];
    const take: Ledger['take'] = async (limits) => {
      taken.push(limits.map(counterKey).join(' '));
      return outcome === 'taken' ? { outcome, of: limits } : { outcome, refusal: throttleRefusal };
    };
    const ledger: Partial<Ledger> = {
      take,
      status: async () => rateLimitStatusOf(context.quota, 1),
      charge: async (_, onSent) => {
        onSent?.();
        return { outcome: 'admitted', payment: owed };
      },
      refund: async () => ({ ...owed, state: 'refunded' }),
    };
    return { taken, ledger: ledger as Ledger };
  };
  const owed: Payment = { state: 'charged', rateLimit: rateLimitStatusOf(context.quota, 1) };
  const renditionsOf = (deliver: () => Promise<DeliveryOutcome>, made: boolean) =>
    ({ deliver, isMade: async () => made }) as unknown as RenditionService;

  it('charges no failed first delivery', async () => {
    for (const due of [true, false]) {
      const { ledger } = counting();
      const answer = await payFor(
        { index: {} as GenerationIndex, renditions: renditionsOf(async () => unmade, true), ledger },
        { generation: { ...generation, due }, led: true },
        size,
        context,
      );
      const { rateLimit } = owed;
      const free = { state: 'free', because: 'no-image', rateLimit };
      expect(answer).toEqual({ ...unmade, payment: due ? free : { state: 'refunded', rateLimit } });
    }
  });

  it.each([undefined, owed])(
    'says of a delivery that is refused what its making has cost: %j',
    async (making) => {
      const { ledger } = counting();
      const paid = payFor(
        {
          index: { takeDelivery: async () => false } as Partial<GenerationIndex> as GenerationIndex,
          renditions: renditionsOf(async () => delivered, true),
          ledger: { ...ledger, charge: async () => ({ outcome: 'refused', refusal: throttleRefusal }) },
        },
        { generation: { ...generation, due: true }, led: true, ...(making && { payment: making }) },
        size,
        context,
      );
      expect(await paid).toEqual({
        outcome: 'refused',
        refusal: throttleRefusal,
        ...(making && { payment: making }),
      });
    },
  );

  it.each([
    ['is refunded', undefined, 'refunded'],
    ['stays what the generation has cost', owed, 'charged'],
  ])('says of a charge before a fault that it %s', async (_, payment, state) => {
    const outage = new Error('no answer');
    const paid = payFor(
      {
        index: {} as GenerationIndex,
        renditions: renditionsOf(() => Promise.reject(outage), true),
        ledger: counting().ledger,
      },
      { generation, led: false, ...(payment && { payment }) },
      size,
      context,
    );
    await expect(paid).rejects.toMatchObject({ payment: { state }, cause: outage });
  });

  it.each([
    [true, ['free-deliveries']],
    [false, ['free-deliveries', 'free-renditions']],
  ])('counts a free delivery, and a rendition that has to be made (made: %s)', async (made, uses) => {
    const { taken, ledger } = counting();
    const renditions = renditionsOf(async () => delivered, made);
    expect(await takeFree({ renditions, ledger }, generation, size, context)).toBeUndefined();
    expect(taken.map((key) => key.split('#')[1])).toEqual(uses);
    const refused = await takeFree(
      { renditions, ledger: counting('refused').ledger },
      generation,
      size,
      context,
    );
    expect(refused).toEqual({ outcome: 'refused', refusal: throttleRefusal });
  });

  it('counts of an image that is paid already only the rendition, once there is something to make it of', async () => {
    const { taken, ledger } = counting();
    const renditions = renditionsOf(async () => delivered, false);
    const limits = [paidImageRenditionsOf(callerOf('owner'), 'PAID#1', nowMs)];
    const paid = { ...context, payment: owed, renditions: limits };
    expect(await takeFree({ renditions, ledger }, undefined, size, paid)).toBeUndefined();
    expect(taken).toEqual([]);
    await takeFree({ renditions, ledger }, generation, size, paid);
    expect(taken).toEqual(limits.map(counterKey));
  });
});
