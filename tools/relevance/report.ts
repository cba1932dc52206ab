/** Writes the relevance measurement as a page of the documentation. */

import { type GradedQuery, readGradedQueries } from './graded-queries';
import { type MeasuredOrders, measureRelevance, type Relevance } from './measure';

const orders = [
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

## On recorded answers

\`npx tsx tools/relevance/run.ts FOLDER\` measures on real answers of Openverse and Wikimedia Commons that the folder holds. Titles and
tags belong to their authors, so the folder stays outside the repository. It may have \`queries.tsv\` (kind, query),
\`judgements.tsv\` (query, id of the image, grade from 0 to 3) and \`answers.ndjson\`, which
\`CONTACT=you@example.org npx tsx tools/relevance/run.ts FOLDER --record\` writes: it sends the searches that are not recorded yet, for
300 built-in queries without a \`queries.tsv\`, within the documented limits. It ends where a day's limit does; the same
command goes on the next day. Printed are how often each \`fit\` is right, the share of queries without an image, P@1 by kind,
and what has become better or worse since the last run.

On 1,529 records of five sources and 55 answerable queries that were graded by hand, behind servers as strict as Openverse
and Commons: P@1 0.88 (0.69 on searches of page builders; BM25 over all records: 0.64 and 0.54), 3 % without an image, 1.99
requests a query, \`exact\` right in 25 of 25, \`partial\` in 19 of 32, \`loose\` in 2 of 9. The records are far fewer than
the real collections have, and the figures have a margin of 0.10. What costs no more than 0.01 when it is left out is not
there.

| Left out | P@1 | Requests a query | |
| --- | ---: | ---: | --- |
| nothing | 0.88 | 1.99 | |
| translations | 0.79 | 2.04 | stay |
| what is photographed for abstract words | 0.83 | 1.97 | stays: 0.40 of abstract words with it left out, 1.00 with it |
| which words describe, by their endings | 0.83 | 1.97 | stays |
| spelling | 0.87 | 1.99 | stays: 0.018 |
| parts of speech by a grammar (compromise), in place of endings | 0.88 | 1.97 | left out |
| Unicode's keywords for other abstract words | 0.88 | 1.99 | left out: of 85 words it found the wrong thing for most |
| compounds | 0.88 | 1.97 | left out |
| other weights in long prompts; how much of an image a crop to its orientation keeps | 0.88 | 1.99 | left out |
| an original that fills 1920 pixels as a small term, in place of a first comparison | 0.69 | 1.96 | stays |

Of the 20 abstract words that the records name most and no table here knows (nature, decoration, celebration …), the first
image fits 10 by their titles and tags.

## Modelled

Written by \`npx tsx tools/relevance/run.ts --record\`. ${queries.length} queries (objects, scenes, trades, abstract words, words with two senses,
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
fitness and chance.
`;
}

function cellsOf({ precisionAt1, ndcgAt3, nonPhotos }: Relevance): string {
  return `${precisionAt1.toFixed(2)} | ${ndcgAt3.toFixed(2)} | ${nonPhotos}`;
}
