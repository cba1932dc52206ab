/** What words make a scene show. */
import fc from 'fast-check';
import { type Mood, type Place, read } from '../src/subjects';

describe('the subject of words', () => {
  test.each([
    ['dentist', 'tooth'],
    ['laptop', 'laptop'],
    ['CATS', 'cat'],
    ['a slice of pizza', 'pizza'],
    ['perros', 'dog'],
    ['cachorro', 'dog'],
    ['Fahrrad', 'bicycle'],
    ['猫', 'cat'],
    ['猫カフェ', 'cat hot-beverage'],
    ['woman working on her laptop', 'woman laptop'],
    // A feeling is drawn alone only.
    ['happy', 'grinning-face'],
    ['happy dog', 'dog'],
    // Colours and words of praise name nothing.
    ['beautiful red car', 'automobile'],
    ['cat on the beach', 'cat'],
    ['beach', ''],
    ['quixotic', ''],
    ['', ''],
  ])('%s: %s', (words, drawings) => {
    expect(read(words).drawings.join(' ')).toBe(drawings);
  });

  test('is named in English, and by those of its words that are called so', () => {
    expect(read('Hund am Strand')).toMatchObject({
      shown: ['dog', 'beach with umbrella'],
      named: ['hund', 'strand'],
    });
    expect(read('quixotic')).toMatchObject({ shown: [], named: [] });
  });

  test('is at most two drawings for any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (words) => read(words).drawings.length <= 2));
  });
});

test.each<readonly [string, Place, Mood]>([
  ['mountain lake', 'lake', {}],
  ['praia', 'beach', {}],
  ['Sonnenuntergang am Meer', 'sea', { time: 'sunset' }],
  ['foggy forest', 'forest', { weather: 'fog' }],
  ['rain', 'city', { weather: 'rain' }],
  ['outono', 'forest', { season: 'autumn' }],
  ['sunset', 'sea', { time: 'sunset' }],
  ['city at night', 'city', { time: 'night' }],
  ['noche', 'stars', { time: 'night' }],
  ['shark', 'underwater', {}],
  ['pizza', 'table', {}],
  ['laptop', 'studio', {}],
  ['cat on the beach', 'beach', {}],
])('%s plays at: %s', (words, place, mood) => {
  expect(read(words)).toMatchObject({ place, mood });
});
