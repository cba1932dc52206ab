/** How broadly an engine that requires all words is searched, and what is kept of its answers. */

import type { Candidate } from '../../../lambda/images/image';
import { searchUntilEnough } from '../../../lambda/stock/providers/search-until-enough';
import { readSubject } from '../../../lambda/stock/subject';
import { candidate } from '../../fakes/stock-provider';

/** Candidates of a search, named after it, that cover and match as much as their place says. */
const offered = (search: string, count: number, coverage = 1): readonly Candidate[] =>
  Array.from({ length: count }, (_, at) =>
    candidate(`${search}-${at}`, { description: { rank: at + 1, match: { score: coverage, coverage } } }),
  );

/** Returns what the searches of "red boat" end in, one after the other, and how many more may be sent. */
async function searched(
  answers: readonly (readonly Candidate[])[],
  { granted = 9, words = 'red boat' }: { granted?: number; words?: string } = {},
) {
  const sent: string[] = [];
  const nextAnswers = [...answers];
  const next = async (of: string) => {
    sent.push(of);
    return nextAnswers.shift() ?? [];
  };
  const found = await searchUntilEnough(
    (of, { words }) => next(`${of} (${words.map(({ word }) => word).join(' ')})`),
    [() => next('titles'), () => next('tags')],
    readSubject(words),
    async () => granted-- > 0,
  );
  return { sent, ids: found.map(({ id }) => id), ranks: found.map(({ description }) => description.rank) };
}

test.each<[string, Parameters<typeof searched>, readonly string[]]>([
  [
    'five, one of which covers half',
    [[[...offered('a', 1, 0.5), ...offered('b', 4, 0.1)]]],
    ['red boat (red boat)'],
  ],
  ['four', [[offered('a', 4), offered('b', 1)]], ['red boat (red boat)', 'titles']],
  ['five that cover less than half', [[offered('a', 5, 0.49)]], ['red boat (red boat)', 'titles', 'tags']],
  ['nothing, and may not search again', [[], { granted: 0 }], ['red boat (red boat)']],
  ['nothing, and may search once more', [[], { granted: 1 }], ['red boat (red boat)', 'titles']],
  [
    'nothing for words that are misspelt',
    [[], { words: 'red moutain' }],
    ['red moutain (red moutain)', 'titles', 'tags', 'red mountain (red mountain)'],
  ],
  [
    'nothing for words that are misspelt, without a request left',
    [[], { words: 'red moutain', granted: 2 }],
    ['red moutain (red moutain)', 'titles', 'tags'],
  ],
  [
    'something for an abstract word by what is photographed for it',
    [[offered('a', 1, 0.5)], { words: 'justice' }],
    ['courthouse (courthouse justice)'],
  ],
  [
    'nothing for an abstract word by what is photographed for it',
    [[], { words: 'justice' }],
    ['courthouse (courthouse justice)', 'justice (justice)'],
  ],
  [
    'something for words that are misspelt',
    [[offered('a', 5)], { words: 'red moutain' }],
    ['red moutain (red moutain)'],
  ],
  ['no word', [[], { words: 'to be' }], []],
])('a strict engine is searched by %s', async (_, given, sent) =>
  expect((await searched(...given)).sent).toEqual(sent),
);

test('a strict engine ranks the candidates of broader searches behind those of the first', async () => {
  const { ids, ranks } = await searched([offered('a', 2), [...offered('a', 2), ...offered('b', 3)]]);
  expect(ids).toEqual(['a-0', 'a-1', 'b-0', 'b-1', 'b-2']);
  expect(ranks).toEqual([1, 2, 21, 22, 23]);
});

test('a strict engine gives twenty candidates, the best match first', async () => {
  const { ids } = await searched([offered('a', 20, 0.4), offered('b', 5, 1)]);
  expect(ids).toHaveLength(20);
  expect(ids.slice(0, 6)).toEqual(['b-0', 'b-1', 'b-2', 'b-3', 'b-4', 'a-0']);
});
