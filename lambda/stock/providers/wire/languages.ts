/** The languages that providers search in, and what they call the one of a query. */

import { primaryLanguage, type Subject } from '../../understand';

const pixabay = 'cs da de en es fr id it hu nl no pl pt ro sk fi sv tr vi th bg ru el ja ko zh'.split(' ');
/** The first of a language stands for all of its regions. */
const pexels = (
  'en-US pt-BR es-ES ca-ES de-DE it-IT fr-FR sv-SE id-ID pl-PL ja-JP zh-CN zh-TW ko-KR th-TH nl-NL hu-HU vi-VN cs-CZ ' +
  'da-DK fi-FI uk-UA el-GR ro-RO nb-NO sk-SK tr-TR ru-RU'
).split(' ');

/** The language of a subject, where Pixabay searches by it. */
export function pixabayLanguage(subject: Subject): string | undefined {
  const language = primaryLanguage(subject);
  return pixabay.find((each) => each === language);
}

/** The locale that Pexels searches in, of the language of a subject; `undefined` for a language that it has none for. */
export function pexelsLocale(subject: Subject): string | undefined {
  const ofLanguage = pexels.filter((locale) => locale.startsWith(`${primaryLanguage(subject)}-`));
  return ofLanguage.find((locale) => locale.toLowerCase() === subject.lang) ?? ofLanguage[0];
}
