/** Where an entry of a batch begins in the choice for its words, and what it takes of what is known. */

import { findDistinct } from '../../lambda/pages/distinct-images';
import type { StockRequest } from '../../lambda/requests/image-request';
import { createFakeStock } from '../fakes/fake-stock';
import { aSearchCaller } from '../fakes/search-caller';
import { anImage, request } from '../fakes/stock';

const context = { format: 'webp', deadlineMs: Number.MAX_SAFE_INTEGER } as const;
const claim = async () => true;

it.each([
  ['', 0, ''],
  ['', 2, '3'],
  ['5', 1, '6'],
  ['20', 1, '1'],
  ['hero', 2, 'hero'],
])(
  'the seed %j with %i entries before it that ask for the same begins at %j',
  async (seed, before, wanted) => {
    const asked: StockRequest[] = [];
    const stock = createFakeStock();
    const findNew = async (of: StockRequest) => {
      asked.push(of);
      return { outcome: 'none' } as const;
    };
    const services = { ...stock, scripted: { findNew } };
    await findDistinct(services, before, request('lake', { seed }), context, { ...aSearchCaller, claim });
    expect(asked.map((each) => each.seed)).toEqual([wanted]);
  },
);

it('is taken from what is known where nobody shows it, and searched for otherwise', async () => {
  const stock = createFakeStock();
  stock.knows({ ...anImage, pick: 'aa' });
  const services = stock;
  const claimed: string[] = [];
  const by = (isFree: boolean) => ({
    ...aSearchCaller,
    claim: async (pick: string) => {
      claimed.push(pick);
      return isFree;
    },
  });
  expect(await findDistinct(services, 0, request('lake'), context, by(true))).toMatchObject({
    image: { pick: 'aa' },
    cache: 'HIT',
  });
  expect(stock.calls).toEqual(['cached']);
  await findDistinct(services, 0, request('lake'), context, by(false));
  expect(stock.calls).toEqual(['cached', 'cached', 'find']);
  expect(claimed).toEqual(['aa', 'aa']);
});

it.each([true, false])(
  'takes work for a rendition, unless its image was made before: %s',
  async (wasMade) => {
    const stock = createFakeStock();
    if (wasMade) stock.knows({ ...anImage, pick: 'aa' });
    let taken = 0;
    const caller = {
      ...aSearchCaller,
      claim: async () => false,
      takeRendition: async () => {
        taken += 1;
        return undefined;
      },
    };
    stock.finds(async (by) => {
      await by.takeRendition();
      return { outcome: 'none' };
    });
    await findDistinct(stock, 0, request('lake'), context, caller);
    expect(taken).toBe(wasMade ? 0 : 1);
  },
);
