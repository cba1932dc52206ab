/** What the compiler refuses: names of indexes, metrics and variables that the contract does not have. */

import { functionVariables, tableVariables, variables } from '../../lambda/contract/environment';
import type { CountedEvent } from '../../lambda/contract/metrics';
import { type IndexName, tables } from '../../lambda/contract/tables';
import { optionalText, type SettingsOf, text } from '../../lambda/functions/config';

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

test("a function's settings are exactly its variables, with a fallback where the stack may leave one out", () => {
  const right = {
    CACHE_TABLE: text,
    IMAGE_STORE: text,
    CONTACT: text,
    PROVIDER_SECRET_ID: optionalText,
    PROVIDER_ENDPOINTS: text,
    METRIC_NAMESPACE: text,
  } satisfies SettingsOf<'renderer'>;
  const { PROVIDER_ENDPOINTS: _, ...fewer } = right;
  // @ts-expect-error one is missing
  fewer satisfies SettingsOf<'renderer'>;
  // @ts-expect-error one may be absent and has no fallback
  ({ ...right, PROVIDER_SECRET_ID: text }) satisfies SettingsOf<'renderer'>;
  const names: Readonly<Record<string, string>> = { ...tableVariables, ...variables };
  const read = Object.keys(functionVariables.renderer).map((key) => names[key]);
  expect(Object.keys(right).sort()).toEqual(read.sort());
});
