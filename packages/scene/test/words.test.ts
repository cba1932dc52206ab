/** What a query's words make a scene show, and what they say about its light. */
import fc from 'fast-check';
import { type SubjectName, subjectOf } from '../src/subjects';
import { type Mood, moodOf, wordsOf } from '../src/words';

const TABLE: readonly (readonly [string, SubjectName])[] = [
  ['mountains', 'mountains'],
  ['snowy mountain peaks', 'mountains'],
  ['Berge im Nebel', 'mountains'],
  ['montagnes', 'mountains'],
  ['montaña', 'mountains'],
  ['mountain lake', 'lake'],
  ['lake', 'lake'],
  ['Bergsee', 'lake'],
  ['city lake', 'lake'],
  ['norwegian fjord', 'lake'],
  ['sea', 'sea'],
  ['stormy ocean waves', 'sea'],
  ['sailing boats', 'sea'],
  ['lighthouse', 'sea'],
  ['mer', 'sea'],
  ['océan', 'sea'],
  ['sunset beach', 'beach'],
  ['beaches', 'beach'],
  ['tropical island', 'beach'],
  ['playa', 'beach'],
  ['Strand', 'beach'],
  ['forest', 'forest'],
  ['autumn forest', 'forest'],
  ['spring forest', 'forest'],
  ['forêt', 'forest'],
  ['Bäume', 'forest'],
  ['woods', 'forest'],
  ['city', 'city'],
  ['cities at night', 'city'],
  ['city night', 'city'],
  ['office building', 'city'],
  ['Großstadt', 'city'],
  ['desert', 'desert'],
  ['Wüste', 'desert'],
  ['desert night', 'desert'],
  ['Dünen', 'desert'],
  ['flower meadow', 'meadow'],
  ['mountain meadow', 'meadow'],
  ['Blumen', 'meadow'],
  ['prairie', 'meadow'],
  ['waterfall', 'waterfall'],
  ['falls of a river', 'waterfall'],
  ['canyon', 'waterfall'],
  ['forest river', 'river'],
  ['snow', 'winter'],
  ['Weihnachten', 'winter'],
  ['starry night', 'night-sky'],
  ['stars', 'night-sky'],
  ['aurora borealis', 'night-sky'],
  ['coffee shop', 'cafe'],
  ['café', 'cafe'],
  ['street café in paris', 'cafe'],
  ['planet', 'space'],
  ['galaxies', 'space'],
  ['sunset', 'sea'],
  ['spring', 'meadow'],
  ['autumn', 'forest'],
  ['winter', 'winter'],
  ['fog', 'forest'],
  ['justice', 'abstract'],
  ['quixotic', 'abstract'],
  ['山の湖', 'abstract'],
  ['!?', 'abstract'],
];

describe('the subject of a query', () => {
  test.each(TABLE)('%s shows %s', (words, subject) => {
    expect(subjectOf(wordsOf(words))).toBe(subject);
  });

  test('is one of the known subjects for any text', () => {
    const known = new Set(TABLE.map(([, subject]) => subject));
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (words) => known.has(subjectOf(wordsOf(words)))));
  });

  test('does not depend on case or on the order of the words', () => {
    expect(subjectOf(wordsOf('LAKE Mountain'))).toBe(subjectOf(wordsOf('mountain lake')));
  });
});

const MOODS: readonly (readonly [string, Mood])[] = [
  ['sunset beach', { time: 'sunset' }],
  ['Sonnenuntergang am Meer', { time: 'sunset' }],
  ['city at night', { time: 'night' }],
  ['morning lake', { time: 'dawn' }],
  ['winter forest', { season: 'winter' }],
  ['automne', { season: 'autumn' }],
  ['foggy autumn morning', { time: 'dawn', season: 'autumn', weather: 'fog' }],
  ['thunderstorms over the sea', { weather: 'rain' }],
  ['Wolken', { weather: 'cloudy' }],
  ['snowfall', { season: 'winter', weather: 'snow' }],
  ['mountain', {}],
];

describe('the mood of a query', () => {
  test.each(MOODS)('%s', (words, mood) => {
    expect(moodOf(wordsOf(words))).toEqual(mood);
  });
});
