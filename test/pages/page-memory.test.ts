/** What a page remembers: one batch at a time, each sees what the one before has chosen, and accounts share nothing. */

import { pageReserveMs } from '../../lambda/contract/timeouts';
import type { KeyedCaller } from '../../lambda/credentials/caller';
import { createPageMemory, type FilledSlot, readPages } from '../../lambda/pages/page-memory';
import { accountId } from '../fakes/branded';
import { createFakeIds } from '../fakes/ids';
import { createFakeItemStore } from '../fakes/item-store';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { createVirtualClock } from '../fakes/virtual-clock';

const caller = (account: string, kind: 'live' | 'test' = 'live'): KeyedCaller => ({
  kind,
  account: accountId(account),
  plan: 'free',
  keyId: 'key_1',
});
const filled = (pick: string): FilledSlot => ({ asked: 'hash', pick, seed: '' });

function createBench() {
  const clock = createVirtualClock(Date.parse('2026-11-21T12:00:00Z'));
  const stockMemory = createFakeItemStore(clock);
  const telemetry = createRecordedTelemetry();
  const pages = createPageMemory({ stockMemory, clock, ids: createFakeIds(), telemetry });
  const open = async (who = caller('acc_1'), name = 'home') => {
    const page = await clock.settle(pages.open(who, name, clock.nowMs() + 25_000));
    if (page === 'busy') throw new Error('The page is busy.');
    const { slots, save, release } = page;
    return {
      slots,
      save: (next: typeof slots) => stockMemory.whole(save(next)),
      release: () => stockMemory.whole(release()),
    };
  };
  return { clock, stockMemory, telemetry, pages, open };
}

describe('a page', () => {
  it('shows a batch what the one before has saved, the last filled slot last', async () => {
    const { open } = createBench();
    const slots = new Map([
      ['b', filled('p2')],
      ['a', filled('p1')],
    ]);
    await (await open()).save(slots);
    expect([...(await open()).slots]).toEqual([...slots]);
  });

  it.each([{ asked: 'other' }, { pick: 'other' }, { shows: 'other' }, { seed: 'other' }])(
    'keeps what has changed of a slot: %o',
    async (changed) => {
      const { open } = createBench();
      const before = { ...filled('p1'), shows: 'p2', seed: '3' };
      await (await open()).save(new Map([['a', before]]));
      await (await open()).save(new Map([['a', { ...before, ...changed }]]));
      expect((await open()).slots.get('a')).toEqual({ ...before, ...changed });
    },
  );

  it('lets a second batch in when the first one is done, and not before', async () => {
    const { clock, pages, open } = createBench();
    const first = await open();
    const second = pages.open(caller('acc_1'), 'home', clock.nowMs() + 25_000);
    await clock.advance(2_000);
    await first.save(new Map([['a', filled('p1')]]));
    const page = await clock.settle(second);
    expect(page !== 'busy' && [...page.slots.keys()]).toEqual(['a']);
  });

  it('says that it is busy where there would be no time left to find images', async () => {
    const { clock, pages, open } = createBench();
    await open();
    const deadlineMs = clock.nowMs() + 12_000;
    expect(await clock.settle(pages.open(caller('acc_1'), 'home', deadlineMs))).toBe('busy');
    expect(deadlineMs - clock.nowMs()).toBeGreaterThanOrEqual(pageReserveMs);
  });

  it('is listed for its account with what it shows, the last begun first, and once', async () => {
    const { open, stockMemory, clock } = createBench();
    const shown = async (who = caller('acc_1')) =>
      [...(await readPages(stockMemory, who))].map(([page, slots]) => [page, [...slots.keys()]]);
    await (await open(caller('acc_1'), 'home')).save(new Map([['a', filled('p1')]]));
    await (await open(caller('acc_1'), 'about')).save(new Map([['b', filled('p2')]]));
    await (await open(caller('acc_1'), 'home')).save(new Map([['c', filled('p1')]]));
    expect(await shown()).toEqual([
      ['about', ['b']],
      ['home', ['c']],
    ]);
    for (const other of [caller('acc_2'), caller('acc_1', 'test')]) expect(await shown(other)).toEqual([]);
    await clock.advance(31 * 86_400_000);
    await (await open(caller('acc_1'), 'home')).save(new Map([['c', filled('p1')]]));
    expect((await shown()).map(([page]) => page)).toEqual(['home', 'about']);
    // A name that stood there twice would take the place of another page.
    expect((await stockMemory.read('PAGES#live#acc_1'))?.value).toEqual(['home', 'about']);
  });

  it('is listed beside others that are begun at the same moment, of which a hundred are kept', async () => {
    const { pages, stockMemory, clock } = createBench();
    const begin = async (i: number, who = caller('acc_1')) => {
      const page = await pages.open(who, `page ${i}`, clock.nowMs() + 25_000);
      if (page !== 'busy') await page.save(new Map([['a', filled('p')]]));
    };
    await clock.settle(Promise.all([begin(1), begin(2), begin(3)]));
    expect((await readPages(stockMemory, caller('acc_1'))).size).toBe(3);
    for (let i = 4; i < 105; i++) await clock.settle(begin(i));
    for (const other of [caller('acc_2'), caller('acc_1', 'test')]) await clock.settle(begin(105, other));
    const names = [...(await readPages(stockMemory, caller('acc_1'))).keys()];
    expect([names.length, names[0]]).toEqual([100, 'page 104']);
  });

  it('is let go without a change', async () => {
    const { open } = createBench();
    await (await open()).release();
    expect((await open()).slots.size).toBe(0);
  });

  it('belongs to one account, and its live and test keys have pages of their own', async () => {
    const { open } = createBench();
    await (await open()).save(new Map([['a', filled('p1')]]));
    for (const other of [caller('acc_2'), caller('acc_1', 'test')])
      expect((await open(other)).slots.size).toBe(0);
    expect((await open(caller('acc_1'), 'about')).slots.size).toBe(0);
  });

  it('forgets the slots that were filled first when there are too many', async () => {
    const { open } = createBench();
    const many = Array.from({ length: 500 }, (_, i) => [`s${i}`, filled(`p${i}`)] as const);
    await (await open()).save(new Map(many));
    const { slots } = await open();
    // Whole blocks are forgotten.
    expect([slots.size, slots.has('s31'), slots.has('s32')]).toEqual([468, false, true]);
  });

  it('writes what has changed: nothing for the same images, one block of a large page for one slot', async () => {
    const { open, stockMemory, clock } = createBench();
    const slots = new Map(Array.from({ length: 300 }, (_, i) => [`s${i}`, filled(`p${i}`)] as const));
    await (await open()).save(slots);
    const writes = async (changed: ReadonlyMap<string, FilledSlot>) => {
      const page = await open();
      const before = stockMemory.calls.length;
      await page.save(changed);
      return stockMemory.calls
        .slice(before)
        .map(({ operation, key }) => `${operation} ${key.split('#')[4] ?? 'head'}`);
    };
    expect(await writes(slots)).toEqual(['release head']);
    let changed = slots;
    for (const change of [{ pick: 'other' }, { asked: 'more' }, { seed: '2' }]) {
      changed = new Map([...slots, ['s299', { ...filled('p299'), ...change }]]);
      expect(await writes(changed)).toEqual(['write 9', 'release head']);
    }
    expect((await open()).slots).toEqual(changed);
    await clock.advance(30 * 86_400_000);
    expect(await writes(changed)).toEqual(['release head']);
    await clock.advance(1);
    // Its blocks, its head and the list of the account's pages.
    expect((await writes(changed)).filter((call) => call.startsWith('write'))).toHaveLength(12);
  });

  it('reads the list of a page from before there were blocks, and keeps it', async () => {
    const { open, stockMemory, clock } = createBench();
    await (await open()).save(new Map([['a', filled('p1')]]));
    const key = stockMemory.calls.find(({ operation }) => operation === 'lease')?.key as string;
    const ends = { freshUntilMs: clock.nowMs(), staleUntilMs: clock.nowMs() + 1e9 };
    await stockMemory.write(key, { value: [['old', filled('p9')]], ...ends });
    const page = await open();
    expect([...page.slots.keys()]).toEqual(['old']);
    await page.save(new Map([...page.slots, ['b', filled('p2')]]));
    expect([...(await open()).slots.keys()]).toEqual(['old', 'b']);
  });

  it('reads with a strong read, and fails where that fails', async () => {
    const { pages, stockMemory, clock, open } = createBench();
    await open();
    expect(stockMemory.calls.map(({ operation }) => operation)).toEqual(['lease', 'readLatest']);
    stockMemory.fail('readLatest', true);
    await expect(pages.open(caller('acc_1'), 'other', clock.nowMs() + 25_000)).rejects.toThrow();
  });

  it('answers with its images where it cannot be saved, and lets the next batch in', async () => {
    const { stockMemory, telemetry, open } = createBench();
    const page = await open();
    stockMemory.fail('write', true);
    await page.save(new Map([['a', filled('p1')]]));
    expect(telemetry.errors).toHaveLength(1);
    const next = await open();
    expect(next.slots.size).toBe(0);
    stockMemory.fail('release', true);
    await next.release();
    await next.save(new Map([['a', filled('p1')]]));
    expect(telemetry.errors).toHaveLength(4);
  });
});
