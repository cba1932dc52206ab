/** What a query is understood to ask for, step by step. */

import fc from 'fast-check';
import { heaviest, respelt, searchWords, understand } from '../../lambda/stock/understand';

const wordsIn = (query: string, lang?: string) => understand(query, lang).words.map(({ word }) => word);

describe('the words of the subject', () => {
  it.each<[string, string, readonly string[]]>([
    ['stop words are left out', 'the cabin on the hill', ['cabin', 'hill']],
    ['prompts’ introductions are left out', 'a high quality photo of a lighthouse', ['lighthouse']],
    ['places on a page are left out', 'hero banner background forest', ['forest']],
    ['one that is nothing else is kept', 'background', ['background']],
    ['each stem counts once', 'a leaf among leaves', ['leaf', 'among']],
    ['an emoji is what it is called', 'sleepy 🐱', ['sleepy', 'cat']],
    ['what is excluded is left out', 'beach without people', ['beach']],
    ['a model keeps its number', 'boeing 747', ['boeing', '747']],
    ['nothing is left of stop words', 'to be or not to be', []],
    ['nothing is left of operators', '"" - *', []],
  ])('%s: %s', (_, query, words) => expect(wordsIn(query)).toEqual(words));

  it.each([
    ['perro', 'dog'],
    ['cavallo', 'horse'],
    ['собака', 'dog'],
    ['猫', 'cat'],
    ['coucher de soleil', 'sunset'],
    ['hochzeit', 'wedding'],
    ['bäckerei', 'bakery'],
    ['寿司', 'sushi'],
  ])('%s is searched as %s', (query, word) => expect(wordsIn(query)).toEqual([word]));

  it('of an English query are never translated', () => {
    const query = 'old red kayak at a lake in autumn with fallen leaves';
    expect(wordsIn(query)).toEqual(wordsIn(query, 'en'));
  });

  it('are read in the language that the caller names', () => {
    expect([wordsIn('pan', 'es'), wordsIn('pan')]).toEqual([['bread'], ['pan']]);
    expect(wordsIn('perro', 'es-MX')).toEqual(['dog']);
  });

  it('that carry most are nouns of the first phrase, the rare before the common', () => {
    const subject = understand(
      'photo of a brown horse standing in a green field with trees behind it on a cloudy day',
    );
    expect(heaviest(subject, 1)[0]?.word).toBe('horse');
    expect(searchWords(subject, 2).split(' ')).toContain('horse');
    expect(understand('canon camera').head).toBe(understand('camera').head);
  });
});

describe('what the image must not show', () => {
  it.each<[string, readonly string[]]>([
    ['empty room no people', ['people']],
    ['an empty office', ['people']],
    ['poster without text', ['text']],
    ['street with no people and text', ['people', 'text']],
    ['people at work', []],
    ['empty', ['people']],
  ])('in %j is %j', (query, avoid) => expect(understand(query).avoid).toEqual(avoid));
});

describe('the spelling', () => {
  it.each([
    ['buterfly', 'butterfly'],
    ['cofee', 'coffee'],
    ['moutain lake', 'mountain lake'],
    ['accomodation', 'accommodation'],
  ])('of %s is corrected to %s', (query, words) => {
    const corrected = respelt(understand(query));
    expect(corrected && searchWords(corrected, 3)).toBe(words);
  });

  it.each(['mountain', 'xqzzvw', 'иииии', '747'])('of %s stays', (query) =>
    expect(respelt(understand(query))).toBeUndefined(),
  );
});

it('is understood whatever the text, and searched by plain words only', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (query) => {
      const subject = understand(query);
      expect(subject.words.every(({ weight }) => weight > 0)).toBe(true);
      expect(searchWords(subject, 5)).not.toMatch(/[:"<>|()*~+!\\/]|(^|\s)-/);
    }),
  ));
