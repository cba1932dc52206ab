/** Reads words: the subjects, the setting and the light of a scene. */
import fc from 'fast-check';
import type { Setting } from '../src/landscapes';
import { type ParsedWords, parseWords } from '../src/subjects';

test.each([
  ['tooth', 'tooth'],
  ['laptop', 'laptop'],
  ['CATS', 'cat'],
  ['a slice of pizza', 'pizza'],
  ['perros', 'dog'],
  ['cachorro', 'dog'],
  ['Fahrrad', 'bicycle'],
  ['猫', 'cat'],
  ['猫カフェ', 'cat'],
  ['woman working on her laptop', 'woman laptop'],
  // The last word of a phrase says what a thing is; what it does stands behind it.
  ['black woman smiling', 'woman-medium-dark'],
  ['espresso machine', 'espresso-machine'],
  ['team meeting', 'laptop woman-office-worker man-office-worker'],
  ['washing machine', ''],
  ['card game', ''],
  ['chess game', 'chess-pawn'],
  ['wind instrument', ''],
  // A cat in French.
  ['cute chat room', ''],
  ['perro negro', 'dog'],
  // A feeling is drawn alone only.
  ['happy', 'grinning-face'],
  ['happy dog', 'dog'],
  // Colours and words of praise name nothing.
  ['beautiful red car', 'automobile'],
  ['cat on the beach', 'cat'],
  ['beach', ''],
  ['quixotic', ''],
  ['', ''],
])('parseWords finds in “%s” the drawings: %s', (words, drawings) => {
  expect(
    parseWords(words)
      .figures.map(([first]) => first)
      .join(' '),
  ).toBe(drawings);
});

test('parseWords names subjects in English and in the words of the text', () => {
  expect(parseWords('Hund am Strand')).toMatchObject({
    shownNames: ['dog', 'beach with umbrella'],
    shownWords: ['hund', 'strand'],
  });
  expect(parseWords('quixotic')).toMatchObject({ shownNames: [], shownWords: [] });
});

test.each([
  ['team meeting', 'table', true],
  ['our team', 'studio', true],
  ['huge swimming pool', 'meadow', false],
  ['tokyo street', 'street', true],
])('parseWords finds for “%s” three drawings in the setting %s', (words, setting, isWhole) => {
  const parsedWords = parseWords(words);
  expect(parsedWords).toMatchObject({ setting, isWhole });
  expect(parsedWords.figures).toHaveLength(3);
  expect(parsedWords.shownNames).toHaveLength(1);
});

test.each([
  ['red car', true],
  ['happy dog', false],
  ['dog on the beach', true],
  ['dog food', false],
])('parseWords says if all of “%s” is drawn: %s', (words, isWhole) => {
  expect(parseWords(words).isWhole).toBe(isWhole);
});

test('parseWords finds at most three drawings in any text', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (words) => parseWords(words).figures.length <= 3));
});

test.each<readonly [string, Setting, Partial<Pick<ParsedWords, 'time' | 'weather'>>]>([
  ['mountain lake', 'lake', {}],
  ['praia', 'beach', {}],
  ['Sonnenuntergang am Meer', 'sea', { time: 'sunset' }],
  ['foggy forest', 'forest', { weather: 'fog' }],
  ['rain', 'city', { weather: 'rain' }],
  ['fog', 'forest', { weather: 'fog' }],
  ['cloud', 'mountains', { weather: 'cloudy' }],
  ['cityscape at dusk', 'city', { time: 'dusk' }],
  ['sunrise over mountains', 'mountains', { time: 'dawn' }],
  ['sunrise', 'sea', { time: 'dawn' }],
  ['golden hour', 'sea', { time: 'golden' }],
  ['spring', 'meadow', {}],
  ['desert island', 'beach', {}],
  ['national park', 'lake', {}],
  ['snowflake', 'winter', {}],
  ['outono', 'autumn', {}],
  ['sunset', 'sea', { time: 'sunset' }],
  ['city at night', 'city', { time: 'night' }],
  ['noche', 'stars', { time: 'night' }],
  ['shark', 'underwater', {}],
  ['pizza', 'table', {}],
  ['laptop', 'studio', {}],
  ['cat on the beach', 'beach', {}],
  ['astronaut', 'stars', {}],
  ['woman on the beach', 'beach', {}],
])('parseWords finds for “%s” the setting %s', (words, setting, light) => {
  const { time, weather } = parseWords(words);
  expect({ time, weather }).toEqual(light);
  expect(parseWords(words).setting).toBe(setting);
});
