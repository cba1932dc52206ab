/** Requests that may wait are admitted within the bound of the account, which is read once an hour. */

import { executionsKnownForMs } from '../../lambda/contract/executions';
import {
  type AdmitWaitingDeps,
  createAdmitWaiting,
  type WaitingPlaces,
} from '../../lambda/generation/admit-waiting';
import { createFakeIds } from '../fakes/ids';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { createVirtualClock } from '../fakes/virtual-clock';

const endsMs = Date.UTC(2026, 10, 21, 13);

function open(changes: Partial<AdmitWaitingDeps> = {}) {
  const clock = createVirtualClock();
  const telemetry = createRecordedTelemetry();
  const asked: number[] = [];
  const taken = new Set<string>();
  const places: WaitingPlaces = {
    take: async (placesMax, id) => {
      asked.push(placesMax);
      if (taken.size >= placesMax) return undefined;
      taken.add(id);
      return { number: 0, holder: id };
    },
    leave: async ({ holder }) => void taken.delete(holder),
  };
  const deps: AdmitWaitingDeps = {
    places,
    readUnreserved: async () => 10,
    waitingMax: undefined,
    clock,
    ids: createFakeIds(),
    telemetry,
    ...changes,
  };
  return { clock, telemetry, asked, taken, admit: createAdmitWaiting(deps) };
}

test('in a new account three wait, and the fourth when one of them has left', async () => {
  const { admit } = open();
  const [first] = [await admit(endsMs), await admit(endsMs), await admit(endsMs)];
  expect(first?.isBounded).toBe(true);
  expect(await admit(endsMs)).toBeUndefined();
  await first?.leave();
  expect(await admit(endsMs)).toBeDefined();
});

test('where there are executions enough, nothing is bounded and no place is taken', async () => {
  const { admit, asked } = open({ readUnreserved: async () => 1_000 });
  const admission = await admit(endsMs);
  await admission?.leave();
  expect(admission?.isBounded).toBe(false);
  expect(asked).toEqual([]);
});

test("the operator's bound needs no knowledge of the account", async () => {
  const readUnreserved = () => Promise.reject(new Error('It is not asked'));
  const { admit, asked, telemetry } = open({ readUnreserved, waitingMax: 7 });
  await admit(endsMs);
  expect(asked).toEqual([7]);
  expect(telemetry.errors).toEqual([]);
});

test('the executions are read again when what is known of them is an hour old', async () => {
  const answers = [10, 1_000];
  const { admit, clock } = open({ readUnreserved: async () => answers.shift() as number });
  expect((await admit(endsMs))?.isBounded).toBe(true);
  await clock.advance(executionsKnownForMs.read - 1);
  expect((await admit(endsMs))?.isBounded).toBe(true);
  await clock.advance(1);
  expect((await admit(endsMs))?.isBounded).toBe(false);
});

test('an account whose executions cannot be read is taken for a new one, and read again after a minute', async () => {
  const answers: (() => Promise<number>)[] = [() => Promise.reject(new Error('Denied')), async () => 1_000];
  const readUnreserved = () => (answers.shift() as () => Promise<number>)();
  const { admit, asked, clock, telemetry } = open({ readUnreserved });
  await admit(endsMs);
  await admit(endsMs);
  expect(asked).toEqual([3, 3]);
  expect(telemetry.errors).toHaveLength(1);
  await clock.advance(executionsKnownForMs.assumed);
  expect((await admit(endsMs))?.isBounded).toBe(false);
});

test('a later read that fails changes nothing that was known', async () => {
  const answers: (() => Promise<number>)[] = [async () => 1_000, () => Promise.reject(new Error('Denied'))];
  const readUnreserved = () => (answers.shift() as () => Promise<number>)();
  const { admit, clock } = open({ readUnreserved });
  await admit(endsMs);
  await clock.advance(executionsKnownForMs.read);
  expect((await admit(endsMs))?.isBounded).toBe(false);
});

test('a table that does not answer refuses no request, and is logged', async () => {
  const fails = () => Promise.reject(new Error('No answer'));
  const { admit, telemetry } = open({ places: { take: fails, leave: fails } });
  const admission = await admit(endsMs);
  await admission?.leave();
  expect(admission?.isBounded).toBe(true);
  expect(telemetry.errors).toHaveLength(1);
});

test('a place that cannot be given back is logged, and the answer stands', async () => {
  const places: WaitingPlaces = {
    take: async () => ({ number: 0, holder: 'a' }),
    leave: () => Promise.reject(new Error('No answer')),
  };
  const { admit, telemetry } = open({ places });
  await (await admit(endsMs))?.leave();
  expect(telemetry.errors).toHaveLength(1);
});
