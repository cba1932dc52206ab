/** In an account with ten executions, requests that wait for AI images leave enough of them to everything else. */

import { createVirtualClock } from '../fakes/virtual-clock';
import { createRandom } from './kernel';
import { type AccountOptions, openSmallAccount, type SmallAccount } from './small-account';

const executionsMax = 10;
const seeds = [1, 2, 3, 4, 5] as const;
/** How long requests arrive, and how long everything is watched, in milliseconds. */
const arrivalsMs = 60_000;
const watchedMs = 240_000;
/** Pages with more new images than the account has executions, and how often another new image is asked for. */
const pageSizes = [12, 30] as const;
const otherImageEveryMs = 5_000;
const stockEveryMs = 300;
/** One stock image in so many has to be rendered. */
const renderedOneIn = 5;
/** Pause of a client after an answer without an image, in milliseconds: the Retry-After of the card. */
const retryAfterMs = 5_000;

interface Run {
  readonly account: SmallAccount;
  readonly startMs: number;
  /** How long each AI image took until its client had it, in milliseconds; `undefined` for one that never came. */
  readonly ai: readonly (number | undefined)[];
  /** When each stock request came, counted from the start, and how its first and only attempt ended. */
  readonly stock: readonly { readonly atMs: number; readonly ending: string }[];
}

async function simulate(
  seed: number,
  pageImages: number,
  changes: Partial<AccountOptions> = {},
): Promise<Run> {
  const clock = createVirtualClock();
  const startMs = clock.nowMs();
  const random = createRandom(seed);
  const options = { executionsMax, sheds: true, drawingMs: [4_000, 8_000] as const, ...changes };
  const account = openSmallAccount(clock, random, options);
  const clients: Promise<unknown>[] = [];
  const ai: (number | undefined)[] = [];
  const stock: { atMs: number; ending: string }[] = [];

  const loadAi = async (number: number, atMs: number) => {
    await clock.sleep(atMs);
    ai[number] = undefined;
    while (clock.nowMs() < startMs + watchedMs - 30_000) {
      if ((await account.askAi(`image ${number}`)) === 'served') {
        ai[number] = clock.nowMs() - startMs - atMs;
        return;
      }
      await clock.sleep(retryAfterMs + random.between(0, 1_000));
    }
  };
  const loadStock = async (number: number, atMs: number) => {
    await clock.sleep(atMs);
    stock.push({ atMs, ending: await account.askStock(number % renderedOneIn === 0) });
  };

  let number = 0;
  // A browser loads the images of a page within moments of each other.
  for (; number < pageImages; number++) clients.push(loadAi(number, random.between(0, 400)));
  for (let atMs = 10_000; atMs < arrivalsMs; atMs += otherImageEveryMs)
    clients.push(loadAi(number++, atMs + random.between(0, 1_000)));
  for (let count = 0; count * stockEveryMs < arrivalsMs; count++)
    clients.push(loadStock(count, count * stockEveryMs + random.between(0, stockEveryMs)));
  await clock.advance(watchedMs);
  await Promise.all(clients);
  return { account, startMs, ai, stock };
}

const shareServed = (stock: Run['stock']) =>
  stock.filter(({ ending }) => ending === 'served').length / stock.length;

/** The first seconds, in which the whole page waits. */
const crowded = (stock: Run['stock']) => stock.filter(({ atMs }) => atMs > 1_000 && atMs < 20_000);
const slowestMs = (ai: Run['ai']) => Math.max(...ai.map((tookMs) => tookMs ?? Number.POSITIVE_INFINITY));
const cases = pageSizes.flatMap((page) => seeds.map((seed) => [page, seed] as const));

/** Whatever is refused, and however late generators begin: each image is charged once, and nothing fails. */
async function expectSafe({ account }: Run): Promise<void> {
  expect(account.failures).toEqual([]);
  expect(await account.taken()).toBeGreaterThanOrEqual(account.madeAtMs.length);
  expect(await account.taken()).toBeLessThanOrEqual(account.madeAtMs.length + 1);
}

test.each(cases)(
  'with a page of %d new images, every image is made and stock requests are answered (seed %d)',
  async (pageImages, seed) => {
    const run = await simulate(seed, pageImages);
    const { account, ai, stock } = run;
    expect(slowestMs(ai)).toBeLessThan(pageImages * 6_000);
    expect(account.madeAtMs).toHaveLength(ai.length);
    expect(await account.taken()).toBe(ai.length);
    expect(shareServed(stock)).toBeGreaterThan(0.9);
    expect(shareServed(crowded(stock))).toBeGreaterThan(0.85);
    expect(account.pool.full().longestMs).toBeLessThan(2_000);
    expect(account.shedBy('too_many_wait')).toBeGreaterThan(0);
    await expectSafe(run);
  },
);

test.each(cases)(
  'without shedding, a page of %d new images starves generators and stock requests until its requests time out (seed %d)',
  async (pageImages, seed) => {
    const run = await simulate(seed, pageImages, { sheds: false });
    const { account, ai, stock, startMs } = run;
    expect(shareServed(crowded(stock))).toBeLessThan(0.25);
    expect(shareServed(stock)).toBeLessThan(0.5);
    expect(account.madeAtMs.filter((madeMs) => madeMs < startMs + 20_000).length).toBeLessThanOrEqual(3);
    expect(slowestMs(ai)).toBeGreaterThan(70_000);
    await expectSafe(run);
  },
);

test.each(cases)(
  'where too many may wait, a page of %d new images is made all the same, because no request waits for a generator that does not start (seed %d)',
  async (pageImages, seed) => {
    const run = await simulate(seed, pageImages, { waitingMax: 100 });
    const { account, ai, stock } = run;
    expect(account.madeAtMs).toHaveLength(ai.length);
    expect(slowestMs(ai)).toBeLessThan(150_000);
    expect(account.shedBy('not_started')).toBeGreaterThan(0);
    expect(shareServed(stock)).toBeGreaterThan(0.35);
    await expectSafe(run);
  },
);
