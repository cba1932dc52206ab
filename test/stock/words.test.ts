/** The words of a text, and their stems. */

import { splitIntoWords, stemWord } from '../../lambda/stock/words';

test.each<[string, readonly string[]]>([
  ['The cat’s photo, 8K!', ['the', 'cat’s', 'photo', '8k']],
  ["don't – rock'n'roll", ["don't", "rock'n'roll"]],
  ["it's2day o'é o’ं", ["it's2day", "o'é", 'o’ं']],
  ["'quoted' word'", ['quoted', 'word']],
  ['ＦＵＬＬ ﬁne', ['full', 'fine']],
  ['山の湖', ['山の湖']],
  ['– …', []],
])('the text %j has the words %j, in lower case', (text, words) =>
  expect(splitIntoWords(text)).toEqual(words),
);

test.each([
  ['cats', 'cat'],
  ["cat's", 'cat'],
  ['cats’', 'cat'],
  ["o'sullivan", "o'sullivan"],
  ['wolves', 'wolf'],
  ['running', 'run'],
  // A word with other letters than English ones is its own stem.
  ['4wds', '4wds'],
  ['bäume', 'bäume'],
  ['cafés', 'cafés'],
])('the word %s has the stem %s', (word, stem) => expect(stemWord(word)).toBe(stem));
