/** Which of the operator's own photographs a request is shown: by their fit, then by whose they are, then by what can be delivered. */

import type { Candidate } from '../../lambda/images/image';
import type { StockRequest } from '../../lambda/requests/image-request';
import { pickIdOf } from '../../lambda/stock/deliver-candidate';
import { deliverPhoto, findAmongPhotos } from '../../lambda/stock/find-among-photos';
import { understand } from '../../lambda/stock/understand';
import { deliveryUrl } from '../fakes/branded';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { aSearchCaller } from '../fakes/search-caller';
import { request } from '../fakes/stock';
import { candidate, createFakeStockProvider, fetched } from '../fakes/stock-provider';
import { createVirtualClock } from '../fakes/virtual-clock';

const covering = (id: string, coverage: number, rank = 1) =>
  candidate(id, { description: { rank, title: id, match: { score: coverage, coverage } } });
const exact = (id: string, at = 0) => covering(id, 1, at + 1);
const partial = (id: string) => covering(id, 0.5);
const loose = (id: string) => covering(id, 0.1);

/** What an owner's index holds; `undefined` where it cannot be read. */
type Index = readonly Candidate[] | undefined;

/** @param broken ids of photographs that cannot be delivered */
async function found(
  own: Index,
  shared: Index,
  broken: readonly string[] = [],
  change: Partial<StockRequest> = {},
) {
  const clock = createVirtualClock();
  const telemetry = createRecordedTelemetry();
  const providerNamed = (name: string, index: Index) => {
    const provider = createFakeStockProvider(name, { ...fetched, capability: { freshForMs: 5_000 } });
    provider.script(async () => index ?? Promise.reject(new Error('away')));
    return provider;
  };
  const tried: string[] = [];
  const deps = {
    clock,
    telemetry,
    providerOf: ({ account }: { readonly account?: string }) =>
      account === undefined ? providerNamed('library', shared) : providerNamed('library-acc_1', own),
    delivery: {
      publicUrl: () => deliveryUrl('https://cdn.example/a'),
      signedUrl: () => Promise.reject(new Error('A stock image is public.')),
    },
    renderer: {
      render: async ({ source }: { readonly source: object }) => {
        const id = /([^/]+)\.jpg$/.exec('url' in source ? String(source.url) : '')?.[1] ?? '';
        tried.push(id);
        return broken.includes(id)
          ? ({ outcome: 'unusable', reason: 'damaged' } as const)
          : ({ outcome: 'stored' } as const);
      },
    },
  };
  const photo = await findAmongPhotos(deps, {
    request: request('lake', { photos: [{ account: 'acc_1', files: [] }, { files: [] }], ...change }),
    subject: understand('lake'),
    format: 'jpeg',
    deadlineMs: clock.nowMs() + 10_000,
    caller: aSearchCaller,
  });
  const image = photo && (await deliverPhoto(deps, photo));
  return {
    fits: photo && [photo.search.provider.name, photo.fit, ...photo.candidates.map(({ id }) => id)],
    image: image && [image.candidate.id, image.fit, image.isOther, image.keepUntilMs - clock.nowMs()],
    tried,
    errors: telemetry.errors.length,
  };
}

it.each<[string, Parameters<typeof found>, object]>([
  ['none where none is found', [[], []], { fits: undefined, image: undefined }],
  [
    'none where no index is named',
    [[exact('a')], [], [], { photos: undefined as never }],
    { fits: undefined },
  ],
  [
    'the account’s of those that fit alike',
    [[exact('a')], [exact('b')]],
    { fits: ['library-acc_1', 'exact', 'a'], image: ['a', 'exact', false, 5_000] },
  ],
  ['everybody’s that fits better', [[partial('a')], [exact('b')]], { image: ['b', 'exact', false, 5_000] }],
  [
    'everybody’s that fits in part rather than hardly',
    [[loose('a')], [partial('b')]],
    { image: ['b', 'partial', false, 5_000] },
  ],
  [
    'one that hardly fits where there is no other',
    [[], [loose('b')]],
    { image: ['b', 'loose', false, 5_000] },
  ],
  [
    'the next that fits alike where the first cannot be delivered, and none that fits less',
    [[exact('a'), exact('b', 1), partial('c')], [], ['a']],
    { fits: ['library-acc_1', 'exact', 'a', 'b'], image: ['b', 'exact', false, 5_000], tried: ['a', 'b'] },
  ],
  [
    'none after four that cannot be delivered',
    [['a', 'b', 'c', 'd', 'e'].map(exact), [], ['a', 'b', 'c', 'd']],
    { image: undefined, tried: ['a', 'b', 'c', 'd'] },
  ],
  [
    'none that was removed',
    [['a', 'b', 'c'].map(exact), [], [], { removed: [pickIdOf('library-acc_1', 'a')] }],
    { fits: ['library-acc_1', 'exact', 'b', 'c'] },
  ],
  [
    'everybody’s where the account’s index cannot be read, which is logged',
    [undefined, [partial('b')]],
    { image: ['b', 'partial', false, 5_000], errors: 1 },
  ],
])('is %s', async (_, given, expected) => expect(await found(...given)).toMatchObject(expected));
