/** Writes the relevance measurement as a page of the documentation. */

import { type GradedQuery, readGradedQueries } from './graded-queries';
import { type MeasuredOrders, measureRelevance, type Relevance } from './measure';

const orders = [
  ['by hash, as in the first version', 'byHash'],
  ['the provider’s own', 'providersOwn'],
  ['the service’s', 'ours'],
] as const satisfies readonly (readonly [string, keyof MeasuredOrders])[];

/** The whole page; the same in every run, as nothing in the measurement is left to chance. */
export function relevancePage(
  queries: readonly GradedQuery[] = readGradedQueries(),
  measured: readonly MeasuredOrders[] = measureRelevance(queries),
): string {
  const rows = measured.flatMap(({ provider, ...relevance }) =>
    orders.map(([name, key]) => `| ${provider} | ${name} | ${cellsOf(relevance[key])} |`),
  );
  return `# Relevance

Written by \`npm run relevance -- --record\`. ${queries.length} queries (objects, scenes, trades, abstract words, words with two senses,
five languages) with images that were graded by hand from 3 (best) to 0 (unfit), shaped like the answer of each
provider: 20 candidates, with maps, scans, logos and homonyms among them.

- **P@1**: share of queries whose first image has grade 2 or 3.
- **nDCG@3**: how good the first three are, compared with the best three of the answer.
- **Non-photos**: queries whose first image is a map, a scan or the like, although there is a photo.

| Provider | Order | P@1 | nDCG@3 | Non-photos |
| --- | --- | ---: | ---: | ---: |
${rows.join('\n')}

What this cannot show: no live provider was asked. Titles and tags are written after those of real answers, and the
order in an answer is modelled: openverse, wikimedia and pixabay by matching words and chance, unsplash and pexels by
fitness and chance. \`npm run providers -- --relevance\` looks at the answers of the providers that a service is bound
to, within their budgets.
`;
}

function cellsOf({ precisionAt1, ndcgAt3, nonPhotos }: Relevance): string {
  return `${precisionAt1.toFixed(2)} | ${ndcgAt3.toFixed(2)} | ${nonPhotos}`;
}
