/** The words of a text, and which of them are the same. */

import { isScaffolding, isStopWord, stemOf, stemsOf, wordsOf } from '../../lambda/stock/words';

it.each<[string, readonly string[]]>([
  ['The cat’s photo, 8K!', ['the', 'cat’s', 'photo', '8k']],
  ["don't – rock'n'roll", ["don't", "rock'n'roll"]],
  ["it's2day o'é o’ं", ["it's2day", "o'é", 'o’ं']],
  ["'quoted' word'", ['quoted', 'word']],
  ['ＦＵＬＬ ﬁne', ['full', 'fine']],
  ['山の湖', ['山の湖']],
  ['– …', []],
])('of %j are %j', (text, words) => expect(wordsOf(text)).toEqual(words));

it.each([
  ['cats', 'cat'],
  ["cat's", 'cat'],
  ['cats’', 'cat'],
  ["o'sullivan", "o'sullivan"],
  ['wolves', 'wolf'],
  ['running', 'run'],
  // No English letters alone: as it is.
  ['4wds', '4wds'],
  ['bäume', 'bäume'],
  ['cafés', 'cafés'],
])('%s has the stem %s', (word, stem) => expect(stemOf(word)).toBe(stem));

it('of some texts are taken together, each stem once', () =>
  expect(stemsOf('Cats', undefined, 'a cat')).toEqual(new Set(['cat', 'a'])));

it.each(
  (
    'a an and are as at be been being but by can do does for from had has have he her his i if in into is it its me ' +
    'my no nor not of off on onto or our over she so than that the their them then there these they this those to ' +
    'too under up upon us was we were what when where which while who whom whose why will with would you your'
  ).split(' '),
)('%s carries no subject', (word) => expect([isStopWord(word), isScaffolding(word)]).toEqual([true, false]));

it.each(
  (
    'photo photos photograph photographs photography picture pictures image images hero banner background ' +
    'backgrounds page section header footer stock quality resolution hd 4k 8k wallpaper website homepage thumbnail ' +
    'realistic photorealistic cinematic'
  ).split(' '),
)('%s is scaffolding', (word) => expect([isStopWord(word), isScaffolding(word)]).toEqual([false, true]));

it.each(['lake', 'portrait', 'around', 'near', 'film', ''])('“%s” carries a subject', (word) =>
  expect([isStopWord(word), isScaffolding(word)]).toEqual([false, false]),
);
