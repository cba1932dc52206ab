/** The contract of the waiting places. */

import { randomBytes } from 'node:crypto';
import type { Database } from '../../../lambda/aws/dynamodb/call';
import type { WaitingPlace } from '../../../lambda/generation/admit-waiting';
import { createWaitingPlaces } from '../../../lambda/generation/dynamodb/waiting-places';
import { startTables, type TablesUnderTest } from '../../contracts/tables-under-test';

const placesMax = 3;

jest.setTimeout(30_000);

describe('the waiting places', () => {
  let subject: TablesUnderTest;
  // All places are in one item, so each test lives in another hour: what an earlier one has left is over by then.
  let nowMs = Date.UTC(2026, 10, 21, 12);
  beforeAll(async () => {
    subject = await startTables();
  });
  beforeEach(() => {
    nowMs += 3_600_000;
  });
  afterAll(() => subject?.stop());

  const open = (pick = (below: number) => Math.floor(Math.random() * below)) =>
    createWaitingPlaces(subject.client as Database, subject.tableNames.quotaCounters, pick);
  const take = (places = open(), atMs = nowMs) =>
    places.take(placesMax, randomBytes(8).toString('hex'), atMs, nowMs + 21_000);

  it('gives each request a place of its own, and none beyond the last', async () => {
    const taken: (WaitingPlace | undefined)[] = [];
    for (let request = 0; request < placesMax; request++) taken.push(await take());
    expect(new Set(taken.map((place) => place?.number)).size).toBe(placesMax);
    expect(await take()).toBeUndefined();
  });

  it('never gives more places than there are to requests that come together', async () => {
    const taken = await Promise.all(Array.from({ length: 20 }, () => take()));
    const numbers = taken.filter((place) => place !== undefined).map(({ number }) => number);
    expect(numbers.length).toBeGreaterThan(0);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers.every((number) => number < placesMax)).toBe(true);
  });

  it('tries a free place next where the one that it picked is taken', async () => {
    for (let request = 0; request < 2; request++) await take(open(() => 0));
    const picked: number[] = [];
    const place = await take(
      open((below) => {
        picked.push(below);
        return 0;
      }),
    );
    expect([place?.number, picked]).toEqual([2, [3, 1]]);
  });

  it('gives a place again that was given back', async () => {
    const [first] = [await take(), await take(), await take()];
    await open().leave(first as WaitingPlace);
    expect(await take()).toMatchObject({ number: first?.number });
  });

  it('gives a place again when its time is over, and not a millisecond before', async () => {
    for (let request = 0; request < placesMax; request++) await take();
    expect(await take(open(), nowMs + 21_000)).toBeUndefined();
    expect(await take(open(), nowMs + 21_001)).toBeDefined();
  });

  it('leaves a place alone that is another request’s by now', async () => {
    const places = open(() => 0);
    const late = (await take(places)) as WaitingPlace;
    const next = await places.take(1, 'another', nowMs + 30_000, nowMs + 60_000);
    expect(next?.number).toBe(late.number);
    await places.leave(late);
    expect(await places.take(1, 'third', nowMs + 30_000, nowMs + 60_000)).toBeUndefined();
  });

  it('takes no second place when the write is repeated after a lost answer', async () => {
    const places = open(() => 0);
    const first = await places.take(placesMax, 'same', nowMs, nowMs + 21_000);
    expect(await places.take(placesMax, 'same', nowMs, nowMs + 21_000)).toEqual(first);
  });
});
