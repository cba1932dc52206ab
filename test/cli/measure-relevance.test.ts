/** How well the answers of a provider fit: what is counted of eight usual queries, and where they end. */

import { measureRelevance } from '../../cli/providers/measure-relevance';
import { ProviderFailure } from '../../lambda/stock/stock-provider';
import { candidate, createFakeStockProvider } from '../fakes/stock-provider';

const covering = (coverage: number, title = 'x') =>
  candidate('a', { description: { rank: 1, title, match: { score: coverage, coverage } } });

/** What is measured where the queries are answered in turn; those after the last answer find nothing. */
async function measured(
  answers: readonly (ReturnType<typeof covering>[] | Error)[],
  requests = Number.POSITIVE_INFINITY,
) {
  const provider = createFakeStockProvider('x');
  let sent = 0;
  provider.script(async () => {
    const answer = answers[provider.asked.length - 1] ?? [];
    if (answer instanceof Error) throw answer;
    return answer;
  });
  const found = await measureRelevance(provider, async () => ++sent <= requests);
  return { ...found, sent: provider.asked.length };
}

const failing = (kind: ProviderFailure['kind']) => new ProviderFailure(kind, 'It fails.');

it.each<[string, Parameters<typeof measured>, object]>([
  [
    'the words that first images cover, of those that there are',
    [[[covering(1)], [covering(0.5)]]],
    { asked: 8, empty: 6, coverageAt1: 0.75 },
  ],
  ['nothing', [[]], { asked: 8, empty: 8, nonPhotos: 0, coverageAt1: null }],
  [
    'first images that are no photographs',
    [[[covering(1, 'Map of a lake')], [covering(1)]]],
    { nonPhotos: 1 },
  ],
  ['as much as the budget has requests', [[[covering(1)]], 3], { asked: 3, empty: 2, sent: 3 }],
  ['no query that is rejected', [[failing('rejected'), [covering(1)]]], { asked: 7, empty: 6, sent: 8 }],
  ['no answer that cannot be read', [[failing('malformed'), [covering(1)]]], { asked: 7, empty: 6, sent: 8 }],
  ['until the provider fails', [[[covering(1)], failing('throttled')]], { asked: 1, empty: 0, sent: 2 }],
])('counts %s', async (_, given, expected) => {
  expect(await measured(...given)).toMatchObject(expected);
});
