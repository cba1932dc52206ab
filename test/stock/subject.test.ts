/** The subject of a query: words, weights, language, exclusions and spelling. */

import fc from 'fast-check';
import { decideFit } from '../../lambda/stock/search/rank';
import { addThing, correctSpelling, parseSubject, pickSearchWords } from '../../lambda/stock/subject';

const listWords = (query: string, lang?: string) => parseSubject(query, lang).words.map(({ word }) => word);

test.each<[string, string, readonly string[]]>([
  ['stop words are left out', 'the cabin on the hill', ['cabin', 'hill']],
  ['prompts’ introductions are left out', 'a high quality photo of a lighthouse', ['lighthouse']],
  ['close-ups and the like are left out', 'extreme wide-angle close-up of a fox', ['fox']],
  ['shots are left out', 'Shot with fox', ['fox']],
  ['other words for a medium stay', 'photo album of a fox', ['album', 'fox']],
  ['places on a page are left out', 'hero banner background forest', ['forest']],
  ['a place on a page stays if it is the only word', 'background', ['background']],
  ['each stem counts once', 'a leaf among leaves', ['leaf', 'among']],
  ['an emoji is replaced by its name', 'sleepy 🐱', ['sleepy', 'cat']],
  ['numbers stay', 'boeing 747', ['boeing', '747']],
  ['an exclusion stays if it is the only word', 'empty', ['empty']],
  ['an exclusion before any shown thing stays', 'zero waste kitchen', ['zero', 'waste', 'kitchen']],
  ['a prohibition stays', 'no smoking', ['smoking']],
  ['a prohibition stays', 'stop sign no entry', ['stop', 'sign', 'entry']],
  ['zero in a name excludes nothing', 'net zero building', ['net', 'zero', 'building']],
  ['zero in a name excludes nothing', 'astronaut zero gravity', ['astronaut', 'zero', 'gravity']],
  ['not in a name excludes nothing', 'forget me not flowers', ['forget', 'flowers']],
  ['words for emptiness are left out', 'deserted street', ['street']],
  ['stop words alone give none', 'to be or not to be', []],
  ['operators alone give none', '"" - *', []],
])('the words of a subject: %s: %s', (_, query, words) => expect(listWords(query)).toEqual(words));

test.each([
  ['perro', 'dog'],
  ['собака', 'dog'],
  ['猫', 'cat'],
  ['coucher de soleil', 'sunset'],
  ['bäckerei', 'bakery'],
])('%s is searched as %s', (query, word) => expect(listWords(query)).toEqual([word]));

test('a query is translated from the language that knows half of its words', () => {
  expect(listWords('the perro is on it')).toEqual(['dog']);
  expect(listWords('perro qwzzt')).toEqual(['dog', 'qwzzt']);
  expect(listWords('perro qwzzt vbnnk')).toEqual(['perro', 'qwzzt', 'vbnnk']);
  expect(listWords('perro qwzzt vbnnk', 'es')).toEqual(['dog', 'qwzzt', 'vbnnk']);
  expect(listWords('perro qwzzt vbnnk', 'fr')).toEqual(['perro', 'qwzzt', 'vbnnk']);
  expect(listWords('coucher de soleil sur la mer')).toEqual(['sunset', 'sur', 'la', 'ocean']);
  expect(listWords('747 собака')).toEqual(['747', 'dog']);
});

test('a query is translated by idioms of up to four words', () => {
  expect(listWords('bastone per non vedenti', 'it')).toEqual(['white', 'cane']);
  expect(listWords('donna che scrolla le spalle', 'it')).not.toContain('shrugging');
});

test('a query is read in the language of its parameter', () => {
  expect([listWords('pan', 'es'), listWords('pan')]).toEqual([['bread'], ['pan']]);
  expect(listWords('perro', 'es-MX')).toEqual(['dog']);
  expect(listWords('perro', 'en')).toEqual(['perro']);
  expect([parseSubject('pan', 'es').lang, 'lang' in parseSubject('pan')]).toEqual(['es', false]);
});

test('nouns of the first phrase weigh more than other words', () => {
  const subject = parseSubject(
    'photo of a brown horse standing in a green field with trees behind it on a cloudy day',
  );
  expect(pickSearchWords(subject, 1)).toBe('horse');
  expect(pickSearchWords(subject, 2)).toBe('horse trees');
  expect(parseSubject('canon camera').head).toBe(parseSubject('camera').head);
});

test.each<[string, string, string, string | undefined]>([
  ['A  Photo of a\n Red Fox  in Snow', 'a Red Fox in Snow', 'red 0.486, fox 0.887, snow 0.627', 'fox'],
  ['☕️cup', 'hot beverage cup', 'hot 0.681, beverage 0.921, cup 0.83', 'cup'],
  ['👩‍🚒 at work', 'woman firefighter at work', 'woman 0.632, firefighter 1.053, work 0.471', 'firefight'],
  ['in the mountains', 'in the mountains', 'mountains 0.897', 'mountain'],
  ['old wooden boat on a lake', '', 'old 0.607, wooden 0.867, boat 0.788, lake 0.62', 'boat'],
  ['horse runs through a field', '', 'horse 0.719, runs 0.861, through 0.49, field 0.589', 'run'],
  ['running dog', '', 'running 0.484, dog 0.749', 'dog'],
  ['x ray', '', 'ray 0.787', 'rai'],
  ['golden', '', 'golden 0.883', 'golden'],
  ['wonderful', '', 'wonderful 0.482', undefined],
  ['hut, no dogs or it', 'hut,', 'hut 0.918', 'hut'],
  ['hut not in use', '', 'hut 0.918, use 0.515', 'hut'],
  ['no people', 'no people', '', undefined],
  ['to be or not to be', '', '', undefined],
  [
    'brown horse standing green field sky',
    '',
    'brown 0.522, horse 0.791, standing 0.511, green 0.411, field 0.589, sky 0.611',
    'hors',
  ],
])('the query %j is understood as %j', (query, cleaned, words, head) => {
  const subject = parseSubject(query);
  const weighed = subject.words.map(({ word, weight }) => `${word} ${Math.round(weight * 1_000) / 1_000}`);
  expect([subject.cleaned, weighed.join(', '), subject.head]).toEqual([cleaned || query, words, head]);
});

test.each<[string, readonly string[]]>([
  ['street without any face', ['people']],
  ['wall without people, text', ['people', 'text']],
  ['wall without text nor people', ['people', 'text']],
  ['Unpeopled street', ['people']],
  ['wall without cats', []],
  ['notext', []],
  ['a wall without cats, no text', ['text']],
  ['ground zero no people', ['people']],
  ['beach zero people', ['people']],
  ['empty room no people', ['people']],
  ['an empty office', ['people']],
  ['street with no people and text', ['people', 'text']],
  ['people at work', []],
  ['empty', ['people']],
  ['poster WITHOUT TEXT, No People', ['people', 'text']],
])('the words %j exclude %j', (query, avoid) => expect(parseSubject(query).avoid).toEqual(avoid));

test.each([
  ['buterfly', 'butterfly'],
  ['cofee', 'coffee'],
  ['moutain lake', 'mountain lake'],
  ['wter', 'water'],
  ['bidrge', 'bridge'],
  ['bech', 'beach'],
  ['counterintelligencee', 'counterintelligence'],
])('%s is corrected to %s', (query, words) => {
  const correctedSubject = correctSpelling(parseSubject(query));
  expect(correctedSubject && pickSearchWords(correctedSubject, 3)).toBe(words);
});

test.each(['counterintelligenceee', 'mountain', 'xqzzvw', 'иииии', '747', 'nutterfly', 'house1', 'abd'])(
  'the word %s is not corrected',
  (query) => expect(correctSpelling(parseSubject(query))).toBeUndefined(),
);

test.each([
  ['teamwork', 'people meeting'],
  ['a photo of justice', 'courthouse'],
  ['business growth', 'seedling'],
  ['agreement', 'handshake'],
  ['lake', undefined],
  ['growth of a tree', undefined],
  ['constructor', undefined],
  ['', undefined],
])('the subject %j is searched as %j', (query, thing) => expect(parseSubject(query).thing).toBe(thing));

test('an image of the thing of an abstract subject is a partial match', () => {
  const subject = addThing(parseSubject('justice'));
  const fit = (title: string) => subject && decideFit({ description: { rank: 1, title } }, subject);
  expect(['Courthouse', 'Justice at a courthouse', 'Hill'].map(fit)).toEqual(['partial', 'exact', 'loose']);
  expect(addThing(parseSubject('lake'))).toBeUndefined();
});

test('any text becomes a subject of plain words', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (query) => {
      const subject = parseSubject(query);
      expect(subject.words.every(({ weight }) => weight > 0)).toBe(true);
      expect(pickSearchWords(subject, 5)).not.toMatch(/[:"<>|()*~+!\\/]|(^|\s)-/);
    }),
  ));
