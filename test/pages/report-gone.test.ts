/** Which images on an account's pages are gone, read at most once a minute. */

import type { KeyedCaller } from '../../lambda/credentials/caller';
import { createPickedImages, pickedKey } from '../../lambda/images/picked-images';
import { createPageMemory } from '../../lambda/pages/page-memory';
import { createReportGone } from '../../lambda/pages/report-gone';
import { accountId } from '../fakes/branded';
import { createFakeIds } from '../fakes/ids';
import { createFakeItemStore } from '../fakes/item-store';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { createVirtualClock } from '../fakes/virtual-clock';

const caller: KeyedCaller = { kind: 'live', account: accountId('acc_1'), plan: 'free', keyId: 'key_1' };
const attribution = {
  providerName: 'Wikimedia Commons',
  creator: 'Ada',
  landingUrl: 'https://commons.example/ada',
  license: { id: 'cc-by-4.0', name: 'CC BY 4.0' },
  creditLine: 'Photo: Ada, CC BY 4.0',
};

async function stage(picks: Readonly<Record<string, unknown>>) {
  const clock = createVirtualClock(Date.parse('2026-11-21T12:00:00Z'));
  const stockMemory = createFakeItemStore(clock);
  const telemetry = createRecordedTelemetry();
  const pages = createPageMemory({ stockMemory, clock, ids: createFakeIds(), telemetry });
  const ends = { freshUntilMs: clock.nowMs(), staleUntilMs: clock.nowMs() + 1e9 };
  for (const [pick, value] of Object.entries(picks))
    if (value) await stockMemory.write(pickedKey(pick), { value, ...ends });
  const page = await clock.settle(pages.open(caller, 'home', clock.nowMs() + 25_000));
  if (page === 'busy') throw new Error('The page is busy.');
  const slots = Object.keys(picks).map((pick) => {
    // What an AI image is named by on its page is longer.
    const filled = pick === 'ai' ? { pick: 'ai of a request', shows: pick } : { pick };
    return [`slot of ${pick}`, { asked: 'hash', ...filled }] as const;
  });
  await page.save(new Map(slots));
  const pickedImages = createPickedImages({ stockMemory, clock, telemetry });
  return { clock, stockMemory, report: createReportGone({ stockMemory, pickedImages }) };
}

test('those without their provider, removed or forgotten ones are gone', async () => {
  const { report, clock } = await stage({
    photo: { candidate: { attribution } },
    ai: { imageId: 'i', attribution },
    left: { candidate: { attribution }, isGone: true },
    taken: { imageId: 'j', attribution, isGone: true },
    removed: { source: 'stock_a', color: '#112233' },
    forgotten: undefined,
  });
  expect(await report(caller, clock.nowMs())).toEqual([
    { page: 'home', picks: ['left', 'taken', 'removed', 'forgotten'] },
  ]);
});

test('that could not be read is read again at once', async () => {
  const { report, clock, stockMemory } = await stage({ forgotten: undefined });
  stockMemory.fail('read', true);
  await expect(report(caller, clock.nowMs())).rejects.toThrow('fail on read');
  stockMemory.fail('read', false);
  expect(await report(caller, clock.nowMs())).toEqual([{ page: 'home', picks: ['forgotten'] }]);
});

test('is read once a minute for an account, and looks at four hundred images at most', async () => {
  const picks = Object.fromEntries(Array.from({ length: 450 }, (_, i) => [`p${i}`, undefined]));
  const { report, clock, stockMemory } = await stage(picks);
  const [first] = await Promise.all([report(caller, clock.nowMs()), report(caller, clock.nowMs())]);
  expect(first[0]?.picks).toHaveLength(400);
  const reads = () => stockMemory.calls.filter(({ operation }) => operation === 'read').length;
  const before = reads();
  await report(caller, clock.nowMs() + 59_999);
  expect(reads()).toBe(before);
  await report(caller, clock.nowMs() + 60_000);
  expect(reads()).toBe(2 * before);
  for (const other of [{ kind: 'test' }, { account: accountId('acc_2') }] as const)
    expect(await report({ ...caller, ...other }, clock.nowMs())).toEqual([]);
});
