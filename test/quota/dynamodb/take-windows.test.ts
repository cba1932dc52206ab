/** A unit is taken at most once, whatever becomes of the answer. */

import { takeWindows } from '../../../lambda/quota/dynamodb/take-windows';
import { createFaultyClient, type Fault } from '../../aws/dynamodb/faulty-client';
import { tablesInMemory } from '../../fakes/observed';

const windows = [{ name: 'minute', limit: 2 }];

test.each<[Fault, 'is taken' | 'fails', number]>([
  ['throttled', 'is taken', 1],
  ['lost', 'fails', 1],
  ['dropped', 'fails', 0],
  ['rejected', 'fails', 0],
])('a unit whose write ends %s %s, and is counted %i times', async (fault, outcome, counted) => {
  const { memory, db } = tablesInMemory();
  const { client, faults } = createFaultyClient(db);
  const take = () => takeWindows(client, 'cache', 'provider', windows, 60);
  faults.push(fault);
  if (outcome === 'fails') await expect(take()).rejects.toThrow(fault);
  else expect(await take()).toBe(true);
  const left = [await take(), await take(), await take()].filter((taken) => taken).length;
  expect(left).toBe(2 - counted);
  expect([...memory.items('cache').values()]).toMatchObject([{ minute: 2, ttl: 60 }]);
});
