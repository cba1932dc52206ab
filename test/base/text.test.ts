/** Long texts are cut between words. */

import { cutToLength } from '../../lambda/base/text';

test('a long text is cut between words if at least half of it is left', () => {
  const words = 'lake '.repeat(40);
  expect(cutToLength(words, 125)).toBe(`${'lake '.repeat(24)}lake…`);
  expect(cutToLength(`a ${'b'.repeat(200)}`, 125)).toBe(`a ${'b'.repeat(122)}…`);
  expect(cutToLength('a b', 3)).toBe('a b');
  const cuts = [9, 7, 5].map((charactersMax) => cutToLength('one two three', charactersMax, ''));
  expect(cuts).toEqual(['one two', 'one two', 'one']);
  expect(cutToLength('Donaudampfschifffahrt', 5, '')).toBe('Donau');
});
