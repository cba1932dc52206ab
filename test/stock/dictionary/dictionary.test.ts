/** The English names of words of other languages. */

import { findEnglishName, type Language } from '../../../lambda/stock/dictionary/dictionary';

test.each<[string, Language, string | undefined]>([
  ['hund', 'de', 'dog'],
  ['bürogebäude', 'de', 'office building'],
  ['小猫', 'zh', 'cats'],
  // An inflected word is found by its nearest form.
  ['hundes', 'de', 'dog'],
  ['stelle', 'it', 'star'],
  ['alberi', 'it', 'tree'],
  ['cani', 'it', 'dog'],
  ['hun', 'de', undefined],
  ['büro', 'fr', undefined],
  ['tisch', 'de', undefined],
])('%s of %s is called %j', (word, language, name) => expect(findEnglishName(word, language)).toBe(name));
