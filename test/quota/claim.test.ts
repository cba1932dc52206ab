/** Which requests are charged as one image, and the marks of images and days on real conditional writes. */

import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { systemClock } from '../../lambda/base/clock';
import { createDeadline } from '../../lambda/base/deadline';
import { computeDayWindow, computeMonthWindow } from '../../lambda/base/window';
import { renditionReserveMs } from '../../lambda/contract/timeouts';
import type { KeyedCaller } from '../../lambda/credentials/caller';
import {
  type ClaimServices,
  claimImage,
  giveUpClaim,
  identifyPaidImage,
  markClaimPaid,
  writeMark,
} from '../../lambda/quota/claim';
import type { PaidImage } from '../../lambda/quota/payment';
import { takeUnits } from '../../lambda/quota/take';
import { type ImageRequest, type StockRequest, stockDefaults } from '../../lambda/requests/image-request';
import { createFaultyDatabase, type Fault, startEngine } from '../fakes/database';
import { startFixture } from '../fakes/fixture';
import { makeLostAnswer } from '../fakes/memory-database';
import { createServicesOn } from '../fakes/services';
import { aiRequest, makeAccountId, makeContext } from '../fakes/values';

const noon = Date.parse('2026-11-21T12:10:00Z');
const account = { kind: 'live', account: makeAccountId('acc_1') } as const;
const caller: KeyedCaller = { ...account, plan: 'free', keyId: 'sg_1', publishedAs: 'signer' };
const lake: StockRequest = { ...stockDefaults, query: 'lake', widthPx: 800, heightPx: 600 };
const aiImageRequest = { ...aiRequest, widthPx: 800, heightPx: 600 };
const month = { window: computeMonthWindow(noon) };
const makeKey = (request: ImageRequest) => identifyPaidImage(account, request, month, noon).key;

test.each<[string, ImageRequest, ImageRequest]>([
  ['another size', lake, { ...lake, widthPx: 80, heightPx: 60 }],
  ['seed 1 in place of none', lake, { ...lake, seed: '1' }],
  ['another onmiss', lake, { ...lake, filters: { onmiss: 'ai' } }],
  ['another size of an AI image', aiImageRequest, { ...aiImageRequest, widthPx: 80, heightPx: 60 }],
])('a request has the same paid image with %s', (_, first, second) => {
  expect(makeKey(second)).toBe(makeKey(first));
});

test.each<[string, ImageRequest, ImageRequest]>([
  ['other words', lake, { ...lake, query: 'sea' }],
  ['seed 2', lake, { ...lake, seed: '2' }],
  ['another filter', lake, { ...lake, filters: { avoid: ['people'] } }],
  ['another slot', lake, { ...lake, source: 'stock_b' }],
  ['the AI image of the same words', lake, aiImageRequest],
  ['another style', aiImageRequest, { ...aiImageRequest, style: 'minimal' }],
  ['a variation', aiImageRequest, { ...aiImageRequest, variation: 1 }],
])('a request has another paid image with %s', (_, first, second) => {
  expect(makeKey(second)).not.toBe(makeKey(first));
});

test('the key of a paid image names its account, mode and day', () => {
  const writeKeyPattern = (kind: 'live' | 'test') =>
    identifyPaidImage({ ...account, kind }, lake, month, noon).key.replace(/#[0-9a-f]{64}#/, '#<image>#');
  expect(writeKeyPattern('live')).toBe('PAID#acc_1#<image>#2026-11-21');
  expect(writeKeyPattern('test')).toBe('PAID#acc_1#test#<image>#2026-11-21');
});

// The limit is chosen first; the clock may pass the end of the month, or differ from another process's,
// before the mark is.
test.each([
  ['before its window', month.window.startMs - 1, '2026-11-01'],
  ['in its first millisecond', month.window.startMs, '2026-11-01'],
  ['in its last millisecond', month.window.endsMs - 1, '2026-11-30'],
  ['in the first millisecond after it', month.window.endsMs, '2026-11-30'],
])('an image is paid within the month that it is charged to: %s', (_, nowMs, label) => {
  const { key, day } = identifyPaidImage(account, lake, month, nowMs);
  expect(key.endsWith(`#${label}`)).toBe(true);
  expect(day).toEqual(computeDayWindow(Date.parse(`${label}T00:00:00Z`)));
});

describe('claimImage', () => {
  const engine = startFixture(startEngine);

  let images = 0;
  /** A new image, and processes on the same tables. */
  function createImage() {
    images += 1;
    let nowMs = noon;
    const clock = {
      ...systemClock,
      nowMs: () => nowMs,
      // No pause takes time.
      sleep: async (delayMs: number) => {
        nowMs += delayMs;
      },
    };
    const image: PaidImage = { key: `PAID#acc_1#${images}#2026-11-21`, day: computeDayWindow(noon) };
    const createProcess = (fault?: Fault): ClaimServices =>
      createServicesOn(fault ? { ...engine, database: createFaultyDatabase(engine, fault) } : engine, {
        clock,
      });
    const claim = async (requestId: string, services = createProcess()) =>
      (await claimImage(services, image, makeContext(caller, clock.nowMs(), { requestId }))).outcome;
    return { clock, image, createProcess, claim };
  }

  test('exactly one of many concurrent requests gets the claim', async () => {
    const { claim, image, createProcess } = createImage();
    const turns = ['a', 'b', 'c', 'd'].map(async (requestId) => {
      const outcome = await claim(requestId);
      if (outcome === 'claimed') await markClaimPaid(createProcess(), image, requestId);
      return outcome;
    });
    expect((await Promise.all(turns)).sort()).toEqual(['claimed', 'paid', 'paid', 'paid']);
  });

  test('after a refund, the next request claims the image again', async () => {
    const { claim, image, createProcess } = createImage();
    expect(await claim('a')).toBe('claimed');
    await markClaimPaid(createProcess(), image, 'a');
    await giveUpClaim(createProcess(), image, 'a');
    expect(await claim('b')).toBe('claimed');
    // The second has not paid yet.
    expect(await claim('c')).toBe('unknown');
  });

  test('an image is not claimed while this instance remembers a limit that is used up', async () => {
    const { claim, image, createProcess, clock } = createImage();
    const services = createProcess();
    const context = makeContext(caller, clock.nowMs(), { requestId: 'a' });
    const requestLimits = context.requestLimits.map((limit) => ({ ...limit, max: 0 }));
    await takeUnits(services, requestLimits, 'earlier');
    const refused = await claimImage(services, image, { requestId: 'a', requestLimits });
    expect(refused).toMatchObject({ outcome: 'refused', refusal: { isRemembered: true } });
    expect(await claim('b')).toBe('claimed');
  });

  test('only the request that holds a claim can give it up', async () => {
    const { claim, image, createProcess } = createImage();
    expect(await claim('a')).toBe('claimed');
    await giveUpClaim(createProcess(), image, 'b');
    expect(await claim('b')).toBe('unknown');
    await giveUpClaim(createProcess(), image, 'a');
    expect(await claim('c')).toBe('claimed');
  });

  test('only the request that holds a claim can mark it as paid', async () => {
    const { claim, image, createProcess } = createImage();
    await claim('a');
    await markClaimPaid(createProcess(), image, 'b');
    expect(await claim('b')).toBe('unknown');
    const other = createImage();
    await other.claim('a');
    await markClaimPaid(other.createProcess(), other.image, 'a');
    expect(await other.claim('b')).toBe('paid');
  });

  test('a request waits at most 8 s for a claim that is not paid', async () => {
    const { claim, clock } = createImage();
    await claim('a');
    const beganMs = clock.nowMs();
    expect(await claim('b')).toBe('unknown');
    expect(clock.nowMs() - beganMs).toBeLessThanOrEqual(8_000);
    const askedMs = clock.nowMs();
    expect(await claim('c')).toBe('paid');
    expect(clock.nowMs()).toBe(askedMs);
  });

  test('a request that waits goes on after a failed read of the mark', async () => {
    const { claim, image, createProcess } = createImage();
    await claim('a');
    let reads = 0;
    const services = createProcess(async ({ UpdateExpression }, send) => {
      if (UpdateExpression) return send();
      reads += 1;
      if (reads === 2) throw Object.assign(new Error('no table'), { $metadata: { httpStatusCode: 400 } });
      if (reads === 3) await markClaimPaid(createProcess(), image, 'a');
      return send();
    });
    expect(await claim('b', services)).toBe('paid');
  });

  test('a claim succeeds after one lost response, but not after three', async () => {
    const { claim, createProcess } = createImage();
    let lost = 0;
    const createLosingProcess = (times: number) =>
      createProcess(async ({ UpdateExpression }, send) => {
        const answering = send();
        if (!UpdateExpression?.startsWith('SET #by') || lost++ >= times) return answering;
        await answering.catch(() => undefined);
        throw makeLostAnswer();
      });
    expect(await claim('a', createLosingProcess(1))).toBe('claimed');
    lost = 0;
    const other = createImage();
    expect(await other.claim('b', createLosingProcess(3))).toBe('unknown');
  });

  test('a claim is remembered as paid until the day of the image ends', async () => {
    const { claim, image, createProcess } = createImage();
    await writeMark(createProcess(), image, { by: 'a', paid: true });
    const services = createProcess();
    expect(await claim('b', services)).toBe('paid');
    expect(services.freeImages.get(image.key, noon)).toBe(true);
    expect(services.freeImages.get(image.key, image.day.endsMs)).toBeUndefined();
  });

  test('the wait for a claim leaves time for a rendition before the deadline', async () => {
    const { claim, createProcess, clock } = createImage();
    await claim('a');
    const beganMs = clock.nowMs();
    const deadline = createDeadline(beganMs + renditionReserveMs + 1_000);
    expect(await claim('b', { ...createProcess(), deadline })).toBe('unknown');
    expect(clock.nowMs() - beganMs).toBe(1_000);
  });

  test('a claim expires one day after the day of its image', async () => {
    const [claimed, published] = [createImage(), createImage()];
    await claimed.claim('a');
    await writeMark(published.createProcess(), published.image, { by: 'b', paid: true });
    for (const { image } of [claimed, published]) {
      const item = { TableName: engine.tableNames.quotaCounters, Key: { pk: image.key } };
      const { Item } = await engine.client.send(new GetCommand(item));
      expect(Item?.['ttl']).toBe(Date.parse('2026-11-23T00:00:00Z') / 1_000);
    }
  });

  test('another request that pays for an image does not change its claim', async () => {
    const { claim, image, createProcess } = createImage();
    await claim('a');
    await writeMark(createProcess(), image, { by: 'b', paid: true });
    await giveUpClaim(createProcess(), image, 'a');
    expect(await claim('c')).toBe('claimed');
  });
});
