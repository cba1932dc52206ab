/** What a query's words say about the light. */
import { type Mood, moodOf } from '../src/mood';
import { wordsOf } from '../src/words';

const TABLE: readonly (readonly [string, Mood])[] = [
  ['sunset beach', { time: 'sunset' }],
  ['Sonnenuntergang am Meer', { time: 'sunset' }],
  ['city at night', { time: 'night' }],
  ['morning lake', { time: 'dawn' }],
  ['winter forest', { season: 'winter' }],
  ['automne', { season: 'autumn' }],
  ['foggy autumn morning', { time: 'dawn', season: 'autumn', weather: 'fog' }],
  ['thunderstorms over the sea', { weather: 'rain' }],
  ['snowfall', { season: 'winter', weather: 'snow' }],
  ['mountain', {}],
];

describe('the mood of a query', () => {
  test.each(TABLE)('%s', (words, mood) => {
    expect(moodOf(wordsOf(words))).toEqual(mood);
  });
});
