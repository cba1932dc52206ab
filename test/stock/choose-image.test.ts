/** What an account decides about images: changed in every order, listed in pages, and followed by its requests. */

import fc from 'fast-check';
import { isoSeconds } from '../../lambda/base/window';
import type { StockRequest } from '../../lambda/requests/image-request';
import { createChooseImage, cursorPattern, type DecisionChange } from '../../lambda/stock/choose-image';
import { createChosenImages, decisionKey, decisionPartKey, partOf } from '../../lambda/stock/chosen-images';
import { createCurate, createCurations, curationSeenMs } from '../../lambda/stock/curation';
import { createFakeIds } from '../fakes/ids';
import { createFakeItemStore } from '../fakes/item-store';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { request } from '../fakes/stock';
import { createVirtualClock } from '../fakes/virtual-clock';

const [a, b, c] = ['a', 'b', 'c'].map((digit) => digit.repeat(20)) as [string, string, string];
const lake = request('Mountain Lake', { filters: { avoid: ['people'], crop: 'top' } });
const scope = { query: 'mountain-lake', provider: 'stock_a', orientation: undefined } as const;

function createDecisions() {
  const clock = createVirtualClock();
  const stockMemory = createFakeItemStore(clock);
  const deps = { stockMemory, clock, ids: createFakeIds() };
  const decide = createChooseImage(deps);
  const curations = createCurations(stockMemory, clock);
  const curate = createCurate(
    curations,
    async () => createChosenImages(stockMemory),
    createRecordedTelemetry(),
  );
  /** Its pauses pass at once. */
  const change = async (
    change: DecisionChange,
    of: Parameters<typeof decide.change>[1] = scope,
    account = 'acc_1',
  ) => {
    const changing = decide.change(account, of, change, clock.nowMs() + 10_000);
    await clock.advance(curationSeenMs);
    return changing;
  };
  return { clock, stockMemory, decide, curate, change };
}

describe('a decision', () => {
  const choose = (pick: string) => ({ kind: 'choose', pick }) as const;
  const refuse = (pick: string) => ({ kind: 'refuse', pick }) as const;
  const undo = (pick?: string) => ({ kind: 'undo', pick }) as const;

  it.each<[string, readonly DecisionChange[], string | null, readonly string[]]>([
    ['chooses', [choose(a)], a, []],
    ['replaces an earlier choice', [choose(a), choose(b)], b, []],
    ['refuses, in ascending order', [refuse(b), refuse(a), refuse(b)], null, [a, b]],
    ['keeps the choice beside refusals of others', [choose(a), refuse(b)], a, [b]],
    ['refuses what was chosen, which then is not', [choose(a), refuse(a)], null, [a]],
    ['chooses what was refused, which then is not', [refuse(a), refuse(b), choose(a)], a, [b]],
    ['undoes one refusal alone', [choose(c), refuse(a), refuse(b), undo(a)], c, [b]],
    ['undoes everything', [choose(c), refuse(a), undo()], null, []],
  ])('%s', async (_, changes, chosen, refused) => {
    const { change, decide } = createDecisions();
    for (const each of changes.slice(0, -1)) await change(each);
    const view = { query: scope.query, provider: 'stock_a', orientation: null, chosen, refused };
    expect(await change(changes.at(-1) as DecisionChange)).toEqual({ outcome: 'decided', view });
    expect(await decide.read('acc_1', scope)).toEqual(view);
    const { picks } = await decide.list('acc_1', '');
    expect(picks.map(({ at: _at, ...each }) => each)).toEqual(
      chosen === null && refused.length === 0 ? [] : [view],
    );
  });

  it.each([
    ['nothing was decided', [], undo()],
    ['the image was not refused', [choose(a)], undo(a)],
    ['it was undone before', [refuse(a), undo(a)], undo(a)],
  ])('is not undone where %s', async (_, before, change) => {
    const decisions = createDecisions();
    for (const each of before) await decisions.change(each);
    expect(await decisions.change(change)).toEqual({ outcome: 'nothing' });
  });

  it('holds in one orientation where that is named, and is one row where it holds in all', async () => {
    const { change, decide } = createDecisions();
    await change(choose(a));
    await change(choose(b), { ...scope, orientation: 'portrait' });
    const rows = (await decide.list('acc_1', '')).picks.map(({ orientation, chosen }) => [
      orientation,
      chosen,
    ]);
    expect(rows).toEqual([
      ['landscape', a],
      ['portrait', b],
      ['square', a],
    ]);
    // Of all orientations together it says only what they have in common.
    expect(await decide.read('acc_1', scope)).toMatchObject({ orientation: null, chosen: null });
    await change(undo(), { ...scope, orientation: 'portrait' });
    expect((await decide.list('acc_1', '')).picks).toHaveLength(2);
  });

  it('is listed in the words that were written first, with the moment of its last change, for as long as it stands', async () => {
    const { change, clock, decide } = createDecisions();
    await change(choose(a));
    await clock.advance(99 * 365 * 86_400_000);
    const at = isoSeconds(clock.nowMs());
    await change(refuse(b), { ...scope, query: 'Mountain Lake', orientation: 'square' });
    const { picks } = await decide.list('acc_1', '');
    expect(picks.map(({ query }) => query)).toEqual(Array(3).fill(scope.query));
    expect(picks.map((pick) => pick.at === at)).toEqual([false, false, true]);
  });

  it('is the last of a part that holds too much, until one of them is undone', async () => {
    const { change, stockMemory, clock } = createDecisions();
    await change(choose(a));
    const partKey = decisionPartKey('acc_1', partOf(decisionKey(scope)));
    const refused = Array.from({ length: 15_000 }, (_, n) => String(n).padStart(20, '0'));
    const decisions = { landscape: { refused, atMs: clock.nowMs() } };
    const value = { [decisionKey(scope)]: { query: scope.query, provider: 'stock_a', decisions } };
    await stockMemory.write(partKey, { value, freshUntilMs: 0, staleUntilMs: clock.nowMs() + 1e9 });
    expect(await change(refuse(b))).toEqual({ outcome: 'full' });
    expect(await change(undo(refused[0]))).toMatchObject({ outcome: 'decided' });
  });

  it('waits for another one of the account', async () => {
    const { clock, decide } = createDecisions();
    const queries = ['one', 'two', 'three'];
    const changing = queries.map((query) =>
      decide.change('acc_1', { ...scope, query }, choose(a), clock.nowMs() + 10_000),
    );
    await clock.advance(10_000);
    expect((await Promise.all(changing)).map(({ outcome }) => outcome)).toEqual(Array(3).fill('decided'));
    expect((await decide.list('acc_1', '')).picks).toHaveLength(3);
  });
});

describe('the requests of an account', () => {
  const chosen = { pick: a, filters: { crop: 'top' }, choice: { isAi: false, otherwise: lake } };

  it.each<[string, Partial<StockRequest>, object]>([
    ['show the choice, whatever their filters', {}, chosen],
    ['show it for other forms of the words', { query: 'mountain_lake' }, { pick: a }],
    ['show it with the first seed', { seed: '1' }, { pick: a }],
    ['keep another seed', { seed: '2' }, { seed: '2', filters: lake.filters }],
    ['keep a drawn seed', { seed: 'hero' }, { seed: 'hero', filters: lake.filters }],
    ['keep a pick of their own', { pick: b }, { pick: b }],
    ['keep another slot', { provider: 'stock_b' }, { filters: lake.filters }],
    ['keep another orientation', { widthPx: 600 }, { filters: lake.filters }],
  ])('%s', async (_, asked, expected) => {
    const { change, curate } = createDecisions();
    await change({ kind: 'choose', pick: a }, { ...scope, orientation: 'landscape' });
    const sent = { ...lake, ...asked };
    const shown = await curate.current(sent, 'acc_1');
    expect(shown).toMatchObject(expected);
    expect(shown.pick).toBe((expected as StockRequest).pick);
    expect(curate.lastSeen(sent, 'acc_1')).toEqual(shown);
    // No other account, and nobody without a key.
    for (const other of ['acc_2', undefined]) expect(await curate.current(sent, other)).toEqual(sent);
  });

  it('follow every change from the next one on, in instances that did not make it', async () => {
    const { change, curate, clock, decide } = createDecisions();
    const shown = async () => (await curate.current(lake, 'acc_1')).pick;
    expect(await shown()).toBeUndefined();
    await change({ kind: 'choose', pick: a });
    expect(await shown()).toBe(a);
    // No second of waiting any more: an account with decisions is looked up for each request.
    await decide.change('acc_1', scope, { kind: 'choose', pick: b }, clock.nowMs() + 1_000);
    expect(await shown()).toBe(b);
    await decide.change('acc_1', scope, { kind: 'undo' }, clock.nowMs() + 1_000);
    expect(await shown()).toBeUndefined();
  });

  it('carry what is refused, with every seed', async () => {
    const { change, curate } = createDecisions();
    await change({ kind: 'refuse', pick: b });
    await change({ kind: 'refuse', pick: a });
    for (const seed of ['', '3', 'hero'])
      expect(await curate.current({ ...lake, seed }, 'acc_1')).toEqual({ ...lake, seed, refused: [a, b] });
  });

  it('are answered as they were last seen while the table does not answer', async () => {
    const { change, curate, stockMemory } = createDecisions();
    await change({ kind: 'choose', pick: a });
    await curate.current(lake, 'acc_1');
    for (const operation of ['read', 'readLatest'] as const) stockMemory.fail(operation, true);
    expect(await curate.current(lake, 'acc_1')).toMatchObject({ pick: a });
  });

  it('never rely on a read that may be out of date', async () => {
    const { change, clock, curate, decide, stockMemory } = createDecisions();
    await change({ kind: 'choose', pick: a });
    await curate.current(lake, 'acc_1');
    stockMemory.fail('read', true);
    await decide.change('acc_1', scope, { kind: 'choose', pick: b }, clock.nowMs() + 1_000);
    expect(await curate.current(lake, 'acc_1')).toMatchObject({ pick: b });
    expect(await decide.read('acc_1', scope)).toMatchObject({ chosen: b });
    expect((await decide.list('acc_1', '')).picks).toMatchObject([{ chosen: b }]);
  });

  it('cost an account without decisions one read a second, and nothing for words that are not decided', async () => {
    const { change, curate, stockMemory } = createDecisions();
    await change({ kind: 'choose', pick: a });
    await curate.current(lake, 'acc_2');
    const before = stockMemory.calls.length;
    for (let i = 0; i < 5; i++) await curate.current(lake, 'acc_2');
    expect(stockMemory.calls).toHaveLength(before);
    await curate.current({ ...lake, query: 'sea' }, 'acc_1');
    const keys = () => stockMemory.calls.slice(before).map(({ key }) => key);
    expect(keys()).toEqual(['CURATION#acc_1']);
    await curate.current({ ...lake, query: 'sea' }, 'acc_1');
    expect(keys()).toEqual(['CURATION#acc_1', 'CURATION#acc_1']);
    // As one without decisions once they are undone.
    await change({ kind: 'undo' });
    await curate.current(lake, 'acc_1');
    const undone = stockMemory.calls.length;
    await curate.current(lake, 'acc_1');
    expect(stockMemory.calls).toHaveLength(undone);
  });
});

it('lists each decision once, in pages of at most 100, whatever was decided', async () => {
  const words = fc.uniqueArray(fc.stringMatching(/^[a-z]{3,6}$/), { minLength: 1, maxLength: 130 });
  await fc.assert(
    fc.asyncProperty(words, fc.boolean(), async (queries, isOneOrientation) => {
      const { change, decide } = createDecisions();
      const orientation = isOneOrientation ? 'square' : undefined;
      for (const query of queries)
        await change({ kind: 'choose', pick: a }, { ...scope, query, orientation });
      const listed: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        expect(cursor).toMatch(cursorPattern);
        const page: Awaited<ReturnType<typeof decide.list>> = await decide.list('acc_1', cursor);
        expect(page.picks).toHaveLength(Math.min(100, queries.length - listed.length));
        listed.push(...page.picks.map(({ query }) => query));
        cursor = page.next;
      }
      expect(listed.toSorted()).toEqual(queries.toSorted());
    }),
    { numRuns: 10 },
  );
});

it('takes 10,000 decisions of an account, and no more until one is undone', async () => {
  const { change, stockMemory } = createDecisions();
  const decided = { 64: { version: 'x', count: 9_999 } };
  await change({ kind: 'choose', pick: a }, { ...scope, query: 'first' });
  const key = 'CURATION#acc_1';
  const stored = await stockMemory.read<object>(key);
  if (!stored) throw new Error('There is no curation');
  const now = (stored.value as { decided: object }).decided;
  await stockMemory.write(key, { ...stored, value: { photos: [], decided: { ...now, ...decided } } });
  expect(await change({ kind: 'refuse', pick: a }, { ...scope, query: 'second' })).toEqual({
    outcome: 'full',
  });
  expect(await change({ kind: 'refuse', pick: a }, { ...scope, query: 'first' })).toMatchObject({
    outcome: 'decided',
  });
  await change({ kind: 'undo' }, { ...scope, query: 'first' });
  expect(await change({ kind: 'refuse', pick: a }, { ...scope, query: 'second' })).toMatchObject({
    outcome: 'decided',
  });
});

describe('the list of decisions', () => {
  it('has each decision once, in pages of a hundred, whatever is decided', async () => {
    const { change, decide } = createDecisions();
    const queries = Array.from({ length: 205 }, (_, at) => `lake ${at}`);
    for (const query of queries) await change({ kind: 'choose', pick: a }, { ...scope, query });
    const pages: string[][] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { picks, next } = await decide.list('acc_1', cursor);
      pages.push(picks.map(({ query }) => query));
      expect(next === null || cursorPattern.test(next)).toBe(true);
      cursor = next;
    }
    expect(pages.map(({ length }) => length)).toEqual([100, 100, 5]);
    expect(pages.flat().sort()).toEqual(queries.sort());
    for (const query of queries.slice(0, 5)) await change({ kind: 'undo' }, { ...scope, query });
    expect(await decide.list('acc_1', '')).toMatchObject({ next: expect.any(String) });
    for (const query of queries.slice(5, 105)) await change({ kind: 'undo' }, { ...scope, query });
    expect(await decide.list('acc_1', '')).toMatchObject({ next: null, picks: { length: 100 } });
  });

  it('has a decision for each orientation that differs', async () => {
    const { change, decide } = createDecisions();
    await change({ kind: 'choose', pick: a, isAi: true });
    await change({ kind: 'refuse', pick: b }, { ...scope, orientation: 'portrait' });
    const listed = (await decide.list('acc_1', '')).picks.map(({ orientation, chosen, refused }) => [
      orientation,
      chosen,
      refused,
    ]);
    expect(listed).toEqual([
      ['landscape', a, []],
      ['portrait', a, [b]],
      ['square', a, []],
    ]);
    await change({ kind: 'undo' }, { ...scope, orientation: 'landscape' });
    expect((await decide.list('acc_1', '')).picks.map(({ orientation }) => orientation)).toEqual([
      'portrait',
      'square',
    ]);
    await change({ kind: 'undo', pick: b });
    expect(await change({ kind: 'undo', pick: b })).toEqual({ outcome: 'nothing' });
    await change({ kind: 'undo' });
    expect(await decide.list('acc_1', '')).toEqual({ picks: [], next: null });
    expect(await decide.read('acc_1', scope)).toMatchObject({ chosen: null, refused: [] });
  });
});

it('waits for another change of its account, until its deadline', async () => {
  const { clock, stockMemory, decide } = createDecisions();
  await stockMemory.lease('CURATION#acc_1', 'another', 60_000);
  const beganMs = clock.nowMs();
  const changing = decide.change('acc_1', scope, { kind: 'choose', pick: a }, beganMs + 2_000);
  expect(await clock.settle(changing)).toEqual({ outcome: 'busy' });
  expect(clock.nowMs() - beganMs).toBe(2_000);
});

it('shows an account’s first decision everywhere before it is answered, and further ones at once', async () => {
  const { clock, decide } = createDecisions();
  const tookMs = async (change: DecisionChange) => {
    const beganMs = clock.nowMs();
    await clock.settle(decide.change('acc_1', scope, change, beganMs + 10_000));
    return clock.nowMs() - beganMs;
  };
  expect(await tookMs({ kind: 'undo' })).toBe(0);
  expect(await tookMs({ kind: 'choose', pick: a })).toBe(curationSeenMs);
  expect(await tookMs({ kind: 'refuse', pick: b })).toBe(0);
});
