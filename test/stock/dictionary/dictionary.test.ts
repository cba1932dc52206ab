/** What the word tables say of a word: its English name, however it is inflected, and how rare it is. */

import {
  englishWords,
  findEmojiName,
  findEnglish,
  isEnglish,
  type Language,
  rarityOf,
} from '../../../lambda/stock/dictionary/dictionary';

describe('the word tables', () => {
  it.each<[string, Language, string | undefined]>([
    ['hund', 'de', 'dog'],
    ['bürogebäude', 'de', 'office building'],
    ['小猫', 'zh', 'cats'],
    // By its nearest form.
    ['hundes', 'de', 'dog'],
    ['stelle', 'it', 'star'],
    ['alberi', 'it', 'tree'],
    ['cani', 'it', 'dog'],
    ['hun', 'de', undefined],
    ['büro', 'fr', undefined],
    ['tisch', 'de', undefined],
  ])('%s of %s is called %j', (word, language, name) => expect(findEnglish(word, language)).toBe(name));

  it.each([
    ['☕️', 'hot beverage'],
    ['☕', 'hot beverage'],
    ['x', undefined],
  ])('the emoji %s is called %j', (emoji, name) => expect(findEmojiName(emoji)).toBe(name));

  it('the most frequent word is the least rare, and an unknown one the rarest', () => {
    const [first = '', second = ''] = englishWords;
    const last = englishWords.at(-1) ?? '';
    const rarities = [first, second, 'lake', last, 'xyzzy'].map(rarityOf);
    expect(rarities).toEqual(rarities.toSorted((a, b) => a - b));
    expect([rarities[0], rarities.at(-1)]).toEqual([0, 1]);
    expect([first, last, 'xyzzy'].map(isEnglish)).toEqual([true, true, false]);
  });
});
