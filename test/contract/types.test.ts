/** `tables.ts` and `metrics.ts`: the compiler refuses names of indexes and metrics that they do not have. */

import type { CountedEvent } from '../../lambda/contract/metrics';
import { type IndexName, tables } from '../../lambda/contract/tables';

test('an index is named as its table has it', () => {
  const right: IndexName<'generationIndex'> = 'byImageId';
  // @ts-expect-error misspelt
  const misspelt: IndexName<'generationIndex'> = 'byImageID';
  // @ts-expect-error another table's
  const foreign: IndexName<'generationIndex'> = 'byAccount';
  const names: readonly string[] = tables.generationIndex.indexes.map(({ name }) => name);
  expect([right, misspelt, foreign].map((name) => names.includes(name))).toEqual([true, false, false]);
});

test('a metric is counted with its own dimensions', () => {
  const right: CountedEvent = ['refusals', { code: 'not_found' }];
  const bare: CountedEvent = ['refunds'];
  // @ts-expect-error without its dimension
  const missing: CountedEvent = ['refusals'];
  // @ts-expect-error with another's
  const foreign: CountedEvent = ['refusals', { source: 'ai' }];
  expect([right, bare, missing, foreign]).toHaveLength(4);
});
