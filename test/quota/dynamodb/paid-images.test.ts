/** Runs the contract of the marks of paid images on the fake and on DynamoDB, and with lost answers. */

import type { Database } from '../../../lambda/aws/dynamodb/call';
import { GetCommand } from '../../../lambda/aws/dynamodb/commands';
import { createPaidImages } from '../../../lambda/quota/dynamodb/paid-images';
import { createFaultyClient } from '../../aws/dynamodb/faulty-client';
import { describePaidImages, newPaidImage } from '../../contracts/paid-images';
import { engines } from '../../contracts/tables-under-test';
import { createFakePaidImages } from '../../fakes/paid-images';
import { createMemoryDynamoDb } from '../../simulation/memory-dynamodb';

jest.setTimeout(30_000);

describePaidImages('the fake', async () => ({ paidImages: createFakePaidImages() }));

for (const [name, start] of engines)
  describePaidImages(name, async () => {
    const { client, tableNames, stop } = await start();
    return { paidImages: createPaidImages(client, tableNames.quotaCounters), stop };
  });

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

  it('fails once all attempts are lost', async () => {
    const { paidImages, faults } = open();
    faults.push('lost', 'lost', 'lost');
    await expect(paidImages.begin(newPaidImage(), 'a', 1)).rejects.toThrow('lost');
  });

  it('leaves an item that expires a day after its period', async () => {
    const { paidImages, db, table } = open();
    const image = newPaidImage();
    await paidImages.begin(image, 'a', 1);
    const { Item } = await db.send(new GetCommand({ TableName: table, Key: { pk: image.key } }));
    expect(Item?.['ttl']).toBe(image.period.endMs / 1_000 + 86_400);
  });
});
