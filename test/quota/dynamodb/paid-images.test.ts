/** Runs the contract of the marks of paid images in memory and on DynamoDB, and with lost answers. */

import { randomBytes } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Database } from '../../../lambda/aws/dynamodb/call';
import { dayWindow } from '../../../lambda/base/window';
import { createPaidImages } from '../../../lambda/quota/dynamodb/paid-images';
import type { PaidImage, PaidImages } from '../../../lambda/quota/paid-images';
import { createFaultyClient } from '../../aws/dynamodb/faulty-client';
import { startTables, type TablesUnderTest } from '../../contracts/tables-under-test';
import { createMemoryDynamoDb } from '../../fakes/memory-dynamodb';

const startMs = Date.UTC(2026, 10, 22, 12);
const endsMs = startMs + 20_000;

/** An image that no other test marks. */
function newPaidImage(): PaidImage {
  const day = dayWindow(startMs);
  return { key: `PAID#acc#${randomBytes(8).toString('hex')}#${day.label}`, day };
}

describe('the marks of paid images', () => {
  let subject: TablesUnderTest;
  let paidImages: PaidImages;
  beforeAll(async () => {
    subject = await startTables();
    paidImages = createPaidImages(subject.client, subject.tableNames.quotaCounters);
  });
  afterAll(() => subject?.stop());

  it('are absent until one request begins to pay', async () => {
    const image = newPaidImage();
    expect(await paidImages.read(image)).toEqual({ state: 'absent' });
    expect(await paidImages.begin(image, 'a', endsMs)).toBe('begun');
    expect(await paidImages.read(image)).toEqual({ state: 'pending', holder: 'a', endsMs });
  });

  it('begin for exactly one of 50 concurrent requests, and show it to the others', async () => {
    const image = newPaidImage();
    const holders = Array.from({ length: 50 }, (_, i) => `r${i}`);
    const begun = await Promise.all(holders.map((holder) => paidImages.begin(image, holder, endsMs)));
    const winners = holders.filter((_, i) => begun[i] === 'begun');
    expect(winners).toHaveLength(1);
    const pending = { state: 'pending', holder: winners[0], endsMs };
    expect(begun.filter((each) => each !== 'begun')).toEqual(Array(49).fill(pending));
  });

  it('are paid once their holder settles them, however often it does, and stay so', async () => {
    const image = newPaidImage();
    await paidImages.begin(image, 'a', endsMs);
    expect(await paidImages.settle(image, 'a')).toBe(true);
    expect(await paidImages.settle(image, 'a')).toBe(true);
    expect(await paidImages.release(image, 'a')).toBe(true);
    expect(await paidImages.begin(image, 'a', endsMs)).toEqual({ state: 'paid' });
    expect(await paidImages.begin(image, 'b', endsMs)).toEqual({ state: 'paid' });
    expect(await paidImages.read(image)).toEqual({ state: 'paid' });
  });

  it('are paid at once where another request has paid for the image, without effect on a payment under way', async () => {
    const [image, pending] = [newPaidImage(), newPaidImage()];
    await paidImages.mark(image);
    expect(await paidImages.begin(image, 'a', endsMs)).toEqual({ state: 'paid' });
    await paidImages.begin(pending, 'a', endsMs);
    await paidImages.mark(pending);
    expect(await paidImages.read(pending)).toEqual({ state: 'pending', holder: 'a', endsMs });
  });

  it('begin again for the same holder, as after a lost answer', async () => {
    const image = newPaidImage();
    await paidImages.begin(image, 'a', endsMs);
    expect(await paidImages.begin(image, 'a', endsMs)).toBe('begun');
  });

  it('are absent again once their holder releases them', async () => {
    const image = newPaidImage();
    await paidImages.begin(image, 'a', endsMs);
    expect(await paidImages.release(image, 'a')).toBe(false);
    expect(await paidImages.release(image, 'a')).toBe(false);
    expect(await paidImages.read(image)).toEqual({ state: 'absent' });
    expect(await paidImages.settle(image, 'a')).toBe(false);
    expect(await paidImages.begin(image, 'b', endsMs)).toBe('begun');
  });

  it('are neither settled nor released by a request that does not hold them', async () => {
    const image = newPaidImage();
    expect(await paidImages.settle(image, 'b')).toBe(false);
    await paidImages.begin(image, 'a', endsMs);
    expect(await paidImages.settle(image, 'b')).toBe(false);
    expect(await paidImages.release(image, 'b')).toBe(false);
    expect(await paidImages.read(image)).toEqual({ state: 'pending', holder: 'a', endsMs });
  });

  it('are kept apart by image and day', async () => {
    const [one, other] = [newPaidImage(), newPaidImage()];
    const tomorrow = { ...one, key: one.key.replace('2026-11-22', '2026-11-23') };
    await paidImages.begin(one, 'a', endsMs);
    await paidImages.settle(one, 'a');
    expect(await paidImages.read(other)).toEqual({ state: 'absent' });
    expect(await paidImages.read(tomorrow)).toEqual({ state: 'absent' });
  });
});

jest.setTimeout(30_000);

describe('a write whose answer is lost', () => {
  const open = () => {
    const { send, tableNames } = createMemoryDynamoDb();
    const faulty = createFaultyClient({ send });
    const paidImages = createPaidImages(faulty.client, tableNames.quotaCounters);
    return { ...faulty, paidImages, db: { send } as Database, table: tableNames.quotaCounters };
  };

  it('is sent again and means the same', async () => {
    const { paidImages, faults, sent } = open();
    const image = newPaidImage();
    faults.push('lost');
    expect(await paidImages.begin(image, 'a', 1)).toBe('begun');
    faults.push('lost');
    expect(await paidImages.settle(image, 'a')).toBe(true);
    expect(await paidImages.read(image)).toEqual({ state: 'paid' });
    expect(sent.length).toBeGreaterThanOrEqual(5);
  });

  it('releases once', async () => {
    const { paidImages, faults } = open();
    const image = newPaidImage();
    await paidImages.begin(image, 'a', 1);
    faults.push('lost');
    await paidImages.release(image, 'a');
    expect(await paidImages.begin(image, 'b', 1)).toBe('begun');
  });

  it.each(['begin', 'mark', 'settle', 'release'] as const)(
    'fails once all attempts are lost: %s',
    async (write) => {
      const { paidImages, faults } = open();
      faults.push('dropped', 'dropped', 'dropped');
      await expect(paidImages[write](newPaidImage(), 'a', 1)).rejects.toThrow('dropped');
    },
  );

  it.each(['begin', 'mark'] as const)(
    'leaves an item that expires a day after its day: %s',
    async (write) => {
      const { paidImages, db, table } = open();
      const image = newPaidImage();
      await paidImages[write](image, 'a', 1);
      const { Item } = await db.send(new GetCommand({ TableName: table, Key: { pk: image.key } }));
      expect(Item?.['ttl']).toBe(image.day.endMs / 1_000 + 86_400);
    },
  );
});
