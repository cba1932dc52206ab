/** What an account's pages show: the credits of their images, and which are gone, read at most once a minute. */

import type { KeyedCaller } from '../../lambda/credentials/caller';
import { createPickedImages, pickedKey } from '../../lambda/images/picked-images';
import { createPageMemory } from '../../lambda/pages/page-memory';
import { createReportPages } from '../../lambda/pages/report-pages';
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
const placeholder = { color: '#112233', dataUri: 'data:image/webp;base64,AA', thumbhash: 'AA' };

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
  await page.save(new Map(Object.keys(picks).map((pick) => [`slot of ${pick}`, { asked: 'hash', pick }])));
  const pickedImages = createPickedImages({ stockMemory, clock, telemetry });
  return { clock, stockMemory, report: createReportPages({ stockMemory, pickedImages }) };
}

test('photos and AI images have their credit; those without their provider, removed or forgotten ones are gone', async () => {
  const { report, clock } = await stage({
    photo: { candidate: { attribution }, placeholder },
    ai: { imageId: 'i', attribution: { ...attribution, creator: undefined } },
    left: { candidate: { attribution }, isGone: true },
    removed: { source: 'stock_a', color: '#112233' },
    forgotten: undefined,
  });
  const [page, ...others] = await report(caller, clock.nowMs());
  expect([page?.page, others]).toEqual(['home', []]);
  const credit = {
    credit: 'Photo: Ada, CC BY 4.0',
    provider: 'Wikimedia Commons',
    license: 'CC BY 4.0',
    link: 'https://commons.example/ada',
  };
  const unknown = { credit: null, provider: null, creator: null, license: null, link: null };
  const image = (pick: string, gone: boolean, about: object) => ({
    slot: `slot of ${pick}`,
    pick,
    gone,
    placeholder: null,
    ...about,
  });
  expect(page?.images).toEqual([
    image('photo', false, { ...credit, creator: 'Ada', placeholder: placeholder.dataUri }),
    image('ai', false, { ...credit, creator: null }),
    image('left', true, { ...credit, creator: 'Ada' }),
    image('removed', true, unknown),
    image('forgotten', true, unknown),
  ]);
});

test('is read once a minute for an account, and looks at four hundred images at most', async () => {
  const picks = Object.fromEntries(Array.from({ length: 450 }, (_, i) => [`p${i}`, undefined]));
  const { report, clock, stockMemory } = await stage(picks);
  const [first] = await Promise.all([report(caller, clock.nowMs()), report(caller, clock.nowMs())]);
  expect(first[0]?.images).toHaveLength(400);
  const reads = () => stockMemory.calls.filter(({ operation }) => operation === 'read').length;
  const before = reads();
  await report(caller, clock.nowMs() + 59_999);
  expect(reads()).toBe(before);
  await report(caller, clock.nowMs() + 60_000);
  expect(reads()).toBe(2 * before);
  expect(await report({ ...caller, kind: 'test' }, clock.nowMs())).toEqual([]);
});
