/** Which candidates a request may show, and in which order. */

import type { Candidate } from '../../lambda/images/image';
import type { StockRequest } from '../../lambda/requests/image-request';
import { pickIdOf } from '../../lambda/stock/deliver-candidate';
import type { ProviderSearch } from '../../lambda/stock/provider-request';
import { rankCandidates } from '../../lambda/stock/rank-candidates';
import { understand } from '../../lambda/stock/understand';
import { aSearchCaller } from '../fakes/search-caller';
import { request } from '../fakes/stock';
import { candidate, createFakeStockProvider } from '../fakes/stock-provider';

const candidates = ['first', 'second', 'third'].map((id, index) =>
  candidate(id, { description: { rank: index + 1, title: 'Lake' } }),
);

const searchOf = (change: Partial<StockRequest>): ProviderSearch => ({
  provider: createFakeStockProvider('alpha'),
  request: request('lake', change),
  subject: understand('lake', change.filters?.lang),
  format: 'jpeg',
  deadlineMs: 10_000,
  caller: aSearchCaller,
  requestsMax: 3,
});

const idsOf = (ranked: readonly { readonly id: string }[]) => ranked.map(({ id }) => id);

describe('the order', () => {
  const ordered = (change: Partial<StockRequest>, images: readonly Candidate[] = candidates) =>
    idsOf(rankCandidates(searchOf(change), images));

  it('leaves out what was removed', () => {
    const second = pickIdOf('alpha', 'second');
    expect(ordered({ removed: [second] })).toEqual(['first', 'third']);
  });

  it('ends with what the words exclude', () => {
    const [lake] = candidates;
    const match = { score: 9, coverage: 1 };
    const crowd = candidate('crowd', { description: { rank: 1, title: 'Lake', tags: ['people'], match } });
    const search = { ...searchOf({}), subject: understand('lake without people') };
    expect(idsOf(rankCandidates(search, [crowd, lake as Candidate]))).toEqual(['first', 'crowd']);
  });

  it('begins with a colour that is wished', () => {
    const images = ['#204080', '#d02020'].map((color, rank) =>
      candidate(color, { description: { rank: rank + 1, title: 'Lake', color } }),
    );
    expect(ordered({ filters: { color: 'red' } }, images)).toEqual(['#d02020', '#204080']);
    expect(ordered({}, images)).toEqual(['#204080', '#d02020']);
  });

  it('has only images under a licence that the request allows', () => {
    const images = ['cc0-1.0', 'pexels', 'cc-by-4.0'].map((id, rank) =>
      candidate(id, {
        description: { rank: rank + 1, title: 'Lake' },
        attribution: { providerName: 'Alpha', license: { id, name: id }, creditLine: '' },
      }),
    );
    expect(ordered({}, images)).toEqual(['cc0-1.0', 'pexels', 'cc-by-4.0']);
    expect(ordered({ filters: { license: 'attribution-free' } }, images)).toEqual(['cc0-1.0', 'pexels']);
    expect(ordered({ filters: { license: 'public-domain' } }, images)).toEqual(['cc0-1.0']);
  });

  it('starts over after those that show nothing to be avoided, and after all where each does', () => {
    const crowded = candidate('crowded', {
      description: { rank: 4, title: 'People at a lake', tags: ['people'] },
    });
    const images = [...candidates.slice(0, 2), crowded];
    const filters = { avoid: ['people'] } as const;
    expect(ordered({ filters, seed: '2' }, images)[0]).toBe('second');
    expect(ordered({ filters, seed: '3' }, images)[0]).toBe('first');
    expect(ordered({ filters, seed: '1' }, [crowded])[0]).toBe('crowded');
    const both = [crowded, { ...crowded, id: 'too' }];
    expect(ordered({ filters, seed: '2' }, both)[0]).toBe('too');
  });
});
