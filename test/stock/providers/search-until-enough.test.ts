/** Searches of an engine that requires all words: which searches are sent, and which candidates stay. */

import type { Candidate } from '../../../lambda/images/image';
import { searchUntilEnough } from '../../../lambda/stock/providers/search-until-enough';
import { parseSubject } from '../../../lambda/stock/subject';
import { makeCandidate } from '../../fakes/stock-provider';

/** Makes candidates with ids such as `a-0`. `coverage` is also the score of their match. */
const makeCandidates = (search: string, count: number, coverage = 1): readonly Candidate[] =>
  Array.from({ length: count }, (_, at) =>
    makeCandidate(`${search}-${at}`, { description: { rank: at + 1, match: { score: coverage, coverage } } }),
  );

/** Searches until enough. @param answers the candidates of each search; later searches find nothing */
async function searchWithAnswers(
  answers: readonly (readonly Candidate[])[],
  { granted = 9, words = 'red boat' }: { granted?: number; words?: string } = {},
) {
  const searches: string[] = [];
  const nextAnswers = [...answers];
  const answerSearch = async (search: string) => {
    searches.push(search);
    return nextAnswers.shift() ?? [];
  };
  const candidates = await searchUntilEnough(
    (allWords, { words }) => answerSearch(`${allWords} (${words.map(({ word }) => word).join(' ')})`),
    [() => answerSearch('titles'), () => answerSearch('tags')],
    parseSubject(words),
    async () => granted-- > 0,
  );
  return {
    sent: searches,
    ids: candidates.map(({ id }) => id),
    ranks: candidates.map(({ description }) => description.rank),
  };
}

test.each<[string, Parameters<typeof searchWithAnswers>, readonly string[]]>([
  [
    'five, one of which covers half',
    [[[...makeCandidates('a', 1, 0.5), ...makeCandidates('b', 4, 0.1)]]],
    ['red boat (red boat)'],
  ],
  ['four', [[makeCandidates('a', 4), makeCandidates('b', 1)]], ['red boat (red boat)', 'titles']],
  [
    'five that cover less than half',
    [[makeCandidates('a', 5, 0.49)]],
    ['red boat (red boat)', 'titles', 'tags'],
  ],
  ['nothing, with no request left', [[], { granted: 0, words: 'moutain' }], ['moutain (moutain)']],
  ['nothing, and may search once more', [[], { granted: 1 }], ['red boat (red boat)', 'titles']],
  [
    'nothing for words that are misspelt',
    [[], { words: 'red moutain' }],
    ['red moutain (red moutain)', 'titles', 'tags', 'red mountain (red mountain)'],
  ],
  [
    'something for an abstract word by what is photographed for it',
    [[makeCandidates('a', 1, 0.5)], { words: 'justice' }],
    ['courthouse (courthouse justice)'],
  ],
  [
    'nothing for an abstract word by what is photographed for it',
    [[], { words: 'justice' }],
    ['courthouse (courthouse justice)', 'justice (justice)'],
  ],
  ['no word', [[], { words: 'to be' }], []],
])('the searches that follow %s', async (_, given, sent) =>
  expect((await searchWithAnswers(...given)).sent).toEqual(sent),
);

test('a strict engine ranks the candidates of broader searches behind those of the first', async () => {
  const { ids, ranks } = await searchWithAnswers([
    makeCandidates('a', 2),
    [...makeCandidates('a', 2), ...makeCandidates('b', 3)],
  ]);
  expect(ids).toEqual(['a-0', 'a-1', 'b-0', 'b-1', 'b-2']);
  expect(ranks).toEqual([1, 2, 21, 22, 23]);
});

test('a strict engine gives twenty candidates, the best match first', async () => {
  const { ids } = await searchWithAnswers([makeCandidates('a', 20, 0.4), makeCandidates('b', 5, 1)]);
  expect(ids).toHaveLength(20);
  expect(ids.slice(0, 6)).toEqual(['b-0', 'b-1', 'b-2', 'b-3', 'b-4', 'a-0']);
});
