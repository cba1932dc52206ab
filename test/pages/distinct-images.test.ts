/** Which seeds an entry of a batch is searched under when the images of earlier ones are taken. */

import { rankSeedMax, seedCharactersMax } from '../../lambda/contract/request-bounds';
import { findDistinct } from '../../lambda/pages/distinct-images';
import type { StockRequest } from '../../lambda/requests/image-request';
import { rankOfSeed } from '../../lambda/stock/order';
import { NotClaimed, type SearchCaller } from '../../lambda/stock/search-caller';
import { aSearchCaller } from '../fakes/search-caller';
import { anImage, request } from '../fakes/stock';

/** The seeds that an entry tries, in order, when every image is taken by another slot. */
async function seedsTriedFor(seed: string, before = 0): Promise<readonly string[]> {
  const tried: string[] = [];
  const deps = {
    cachedImages: { find: async () => undefined },
    find: async ({ seed: variant }: StockRequest, _: unknown, __: unknown, caller: SearchCaller) => {
      tried.push(variant);
      await caller.claim?.('taken');
      throw new Error('An image that is not claimed is not delivered');
    },
  };
  const caller = { ...aSearchCaller, claim: () => Promise.reject(new NotClaimed()) };
  const found = findDistinct(deps, before, request('lake', { seed }), 'webp', 1_000, caller);
  expect(await found).toEqual({ refusal: { code: 'duplicate_image' } });
  return tried;
}

const ranks = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `${from + i}`);

it('continues after a rank with the next ones, then with those before it', async () => {
  expect(await seedsTriedFor('')).toEqual(['', ...ranks(2, 20)]);
  expect(await seedsTriedFor('1')).toEqual(ranks(1, 20));
  expect(await seedsTriedFor('5')).toEqual([...ranks(5, 20), ...ranks(1, 4)]);
});

it('begins as many ranks later as entries before it ask for the same', async () =>
  expect(await seedsTriedFor('', 2)).toEqual([...ranks(3, 20), '', '2']));

it.each(['05', '0', '00', '21', 'hero'])(
  'continues after the drawn seed %j with other drawn seeds',
  async (seed) =>
    expect(await seedsTriedFor(seed)).toEqual([seed, ...ranks(2, 20).map((n) => `${seed} ${n}`)]),
);

it.each(['', '1', '01', '20', '21', 'x'.repeat(seedCharactersMax)])(
  'tries as many different seeds as there are ranks for %j, each valid and read as the first one is',
  async (seed) => {
    const tried = await seedsTriedFor(seed);
    expect(new Set(tried).size).toBe(rankSeedMax);
    for (const each of tried) {
      expect(each.length).toBeLessThanOrEqual(seedCharactersMax);
      expect(rankOfSeed(each) === undefined).toBe(rankOfSeed(seed) === undefined);
    }
  },
);

it('is taken from the cache where it is there, and claimed', async () => {
  const image = { ...anImage, pick: 'aa', imageId: 'aa-whole' };
  const [asked, claimed]: [StockRequest[], string[]] = [[], []];
  const cachedImages = {
    async find(wanted: StockRequest) {
      asked.push(wanted);
      return image;
    },
  };
  const find = () => Promise.reject(new Error('It is known.'));
  const caller = { ...aSearchCaller, claim: async (pick: string) => void claimed.push(pick) };
  const wanted = request('lake', { seed: '2' });
  expect(await findDistinct({ cachedImages, find }, 1, wanted, 'webp', 1_000, caller)).toEqual({
    outcome: 'found',
    image,
    cache: 'HIT',
  });
  expect([asked, claimed]).toEqual([[{ ...wanted, seed: '3' }], ['aa-whole']]);
});

it('ends with the refusal of a caller that may spend no more, and throws what fails', async () => {
  const refusal = { code: 'too_many_requests' } as never;
  const ended = (error: Error) =>
    findDistinct(
      { cachedImages: { find: async () => undefined }, find: () => Promise.reject(error) },
      0,
      request('lake'),
      'webp',
      1_000,
      { ...aSearchCaller, claim: async () => undefined },
    );
  expect(await ended(new NotClaimed(refusal))).toEqual({ refusal });
  await expect(ended(new Error('down'))).rejects.toThrow('down');
});
