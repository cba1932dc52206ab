/** Which of the operator's own photographs a request is shown: by their fit, then by what can be delivered. */

import type { Candidate } from '../../lambda/images/image';
import type { StockRequest } from '../../lambda/requests/image-request';
import { pickIdOf } from '../../lambda/stock/deliver-candidate';
import { findAmongPhotos } from '../../lambda/stock/find-among-photos';
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

/** @param index of the library; `undefined` where it cannot be read @param broken ids of photographs that cannot be delivered */
async function found(
  index: readonly Candidate[] | undefined,
  broken: readonly string[] = [],
  change: Partial<StockRequest> = {},
  isLooseWanted = true,
) {
  const clock = createVirtualClock();
  const telemetry = createRecordedTelemetry();
  const provider = createFakeStockProvider('library', { ...fetched, capability: { freshForMs: 5_000 } });
  provider.script(async () => index ?? Promise.reject(new Error('away')));
  const tried: string[] = [];
  const deps = {
    clock,
    telemetry,
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
  const search = {
    provider,
    requestsMax: 0,
    request: request('lake', change),
    subject: understand('lake'),
    format: 'jpeg',
    deadlineMs: clock.nowMs() + 10_000,
    caller: aSearchCaller,
  } as const;
  const { image, looseCoverage } = await findAmongPhotos(deps, search, isLooseWanted);
  return {
    image: image && [image.candidate.id, image.fit, image.keepUntilMs - clock.nowMs()],
    looseCoverage,
    tried,
    errors: telemetry.errors.length,
  };
}

it.each<[string, Parameters<typeof found>, object]>([
  ['none where none is found', [[]], { image: undefined, looseCoverage: undefined }],
  ['the one that fits best', [[partial('a'), exact('b', 1)]], { image: ['b', 'exact', 5_000] }],
  [
    'one that hardly fits where there is no other, and it is wanted',
    [[loose('a')]],
    { image: ['a', 'loose', 5_000] },
  ],
  [
    'none where the best hardly fits and is not wanted',
    [[loose('a')], [], {}, false],
    { image: undefined, looseCoverage: 0.1, tried: [] },
  ],
  [
    'the next that fits alike where the first cannot be delivered, and none that fits less',
    [[exact('a'), exact('b', 1), partial('c')], ['a']],
    { image: ['b', 'exact', 5_000], tried: ['a', 'b'] },
  ],
  ['none after all that fit alike', [[exact('a'), partial('b')], ['a']], { image: undefined, tried: ['a'] }],
  [
    'none after four that cannot be delivered',
    [['a', 'b', 'c', 'd', 'e'].map(exact), ['a', 'b', 'c', 'd']],
    { image: undefined, tried: ['a', 'b', 'c', 'd'] },
  ],
  [
    'none that was removed',
    [[exact('a'), exact('b', 1)], [], { removed: [pickIdOf('library', 'a')] }],
    { image: ['b', 'exact', 5_000] },
  ],
  ['none where the index cannot be read, which is logged', [undefined], { image: undefined, errors: 1 }],
])('is %s', async (_, given, expected) => expect(await found(...given)).toMatchObject(expected));
