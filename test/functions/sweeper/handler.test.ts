/** What the sweeper's schedules ask for, and no more; what a run has counted is written at its end, however it ends. */

import { createHandler } from '../../../lambda/functions/sweeper/handler';
import { createRecordedTelemetry } from '../../fakes/recorded-telemetry';

const nowMs = Date.UTC(2026, 10, 21, 18, 30);

const opened = () => {
  const asked: unknown[] = [];
  const handler = createHandler({
    sweep: {
      all: async (byMs) => asked.push(['all', byMs]),
      one: async (operation) => void asked.push(['one', operation]),
    },
    removeOrphans: async (share) => asked.push(['orphans', share]),
    clock: { nowMs: () => nowMs, sleep: async () => undefined },
    telemetry: createRecordedTelemetry(),
    flush: () => void asked.push(['flush']),
  });
  return { asked, handler };
};

test('the schedule of each minute settles what is due by now, and nothing else', async () => {
  const { asked, handler } = opened();
  expect(await handler({})).toEqual({ settled: 1 });
  expect(asked).toEqual([['all', nowMs], ['flush']]);
});

test('an event of EventBridge, with fields of its own, is the schedule of each minute', async () => {
  const { asked, handler } = opened();
  await handler({ source: 'aws.events', 'detail-type': 'Scheduled Event', detail: {} });
  expect(asked).toEqual([['all', nowMs], ['flush']]);
});

test.each([[{ orphans: 'yes' }], [{ everything: 1 }], [null]])(
  '%j is no sweep event, and sweeps nothing',
  async (event) => {
    const { asked, handler } = opened();
    await expect(handler(event)).rejects.toThrow(/^Not a sweep event: /);
    expect(asked).toEqual([['flush']]);
  },
);

test('everything is settled on demand only, whenever it is due', async () => {
  const { asked, handler } = opened();
  await handler({ everything: true });
  expect(asked).toEqual([['all', Number.MAX_SAFE_INTEGER], ['flush']]);
});

test('the schedule of each hour looks through the share of that hour, and settles nothing', async () => {
  const { asked, handler } = opened();
  expect(await handler({ orphans: true })).toEqual({ removed: 1 });
  expect(asked).toEqual([['orphans', Math.floor(nowMs / 3_600_000) % 16], ['flush']]);
});

test('all images are looked through on demand', async () => {
  const { asked, handler } = opened();
  await handler({ orphans: true, everything: true });
  expect(asked).toContainEqual(['orphans', undefined]);
});
