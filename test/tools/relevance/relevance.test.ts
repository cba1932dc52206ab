/** The bars of the relevance measurement: the service's order is never worse than the provider's own. */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readGradedQueries } from '../../../tools/relevance/graded-queries';
import { measureRelevance } from '../../../tools/relevance/measure';
import { answerOf, measuredProviders } from '../../../tools/relevance/provider-answers';
import { relevancePage } from '../../../tools/relevance/report';

test('the program explains itself, and measures nothing then', () => {
  const program = join(__dirname, '../../../tools/relevance/run.ts');
  const args = ['--no-warnings', '--import', 'tsx', program, '--help'];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, expect.stringMatching(/\[FOLDER\][\s\S]*--record/)]);
});

const queries = readGradedQueries();
const measured = measureRelevance(queries);

test('at least sixty queries of all kinds, in six languages, are measured', () => {
  expect(queries.length).toBeGreaterThanOrEqual(60);
  const kinds = new Set(queries.map(({ kind }) => kind));
  expect(kinds).toEqual(new Set(['object', 'scene', 'trade', 'abstract', 'two senses', 'language']));
  expect(new Set(queries.map(({ language }) => language)).size).toBeGreaterThanOrEqual(6);
});

test.each(measuredProviders)(
  'an answer of %s has twenty candidates, one that fits and one that does not',
  (provider) => {
    for (const graded of queries) {
      const answer = answerOf(provider, graded, queries);
      expect(answer).toHaveLength(20);
      expect(new Set(answer.map(({ id }) => id)).size).toBe(20);
      expect(answer.some(({ grade }) => grade >= 2)).toBe(true);
      expect(answer.some(({ grade }) => grade === 0)).toBe(true);
    }
  },
);

test.each(measured)(
  'at $provider: as good as the provider’s own order or better, and no map where there is a photo',
  ({ providersOwn, ours }) => {
    expect(ours.precisionAt1).toBeGreaterThanOrEqual(providersOwn.precisionAt1);
    expect(ours.ndcgAt3).toBeGreaterThanOrEqual(providersOwn.ndcgAt3 - 0.01);
    expect(ours.nonPhotos).toBeLessThanOrEqual(1);
  },
);

test.each(['openverse', 'wikimedia', 'pixabay'])(
  'at %s, which gathers everything, the first image fits for nine of ten queries',
  (name) => {
    const { ours } = measured.find(({ provider }) => provider === name) ?? {};
    expect(ours?.precisionAt1).toBeGreaterThanOrEqual(0.9);
  },
);

test('the page of the documentation is what is measured', () => {
  expect(readFileSync(join(__dirname, '../../../docs/relevance.md'), 'utf8')).toBe(
    relevancePage(queries, measured),
  );
});
