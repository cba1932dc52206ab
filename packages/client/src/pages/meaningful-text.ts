/** Extracts the words of an image from texts, and drops texts that say nothing, such as `Card image cap`. */

import genericWordList from './data/generic-words.json';
import { type Element, readAttr } from './page';

/** Words that do not say what an image shows. A text of only these words says nothing. */
const genericWords = new Set(genericWordList);
const latinFiller =
  /\b(?:lorem|ipsum|dolor|amet|consectetur|adipis\w+|elit|sed|eiusmod|tempor|incididunt|labore|magna|aliqua|enim|veniam|nostrud|ullamco|nisi|aliquip|commodo|vestibulum|pellentesque|curabitur|praesent|mauris|nullam|vivamus|donec)\b/gi;
const fileName = /^[^\s/]+\.(?:jpe?g|png|gif|webp|avif|svg|bmp|tiff?|heic)$/i;
const cameraFileName = /^(?:img|dsc[fn]?|pxl|dji|gopr|wp|vid|mvimg|pict?|p|unnamed)[\d_-]*$/i;
/** Marks of template languages in a text. The `@` of an e-mail address or before a space is none. */
const templateMark =
  /\{[{%#]|[}%]\}|<[%?]|[$#]\{|(?<![\p{L}\p{N}])@[\p{L}_({]|%[A-Z][A-Z\d_]{2,}%|\[[A-Z][A-Z\d_]*\]|^[{[].*[}\]]$/u;
const charactersMax = 200;

export const hasTemplateMark = (text: string): boolean => templateMark.test(text);

const splitWords = (text: string): readonly string[] =>
  text.toLowerCase().match(/[\p{L}\p{M}\p{N}'’]+/gu) ?? [];

/** Returns true if a capitalised word of a text says nothing. Then the text is no name of a person. */
export const hasGenericWord = (text: string): boolean =>
  splitWords((text.match(/\p{Lu}\p{L}+/gu) ?? []).join(' ')).some((word) => genericWords.has(word));

/** Extracts words that say what an image shows from a text or file name, up to 200 characters; empty for none. */
export function extractWords(text = ''): string {
  const whole = text.slice(0, 2_000).normalize('NFKC').toWellFormed();
  const plainText = whole.replace(/[\p{Cc}\ufffd\s]+/gu, ' ').trim();
  if (hasTemplateMark(plainText) || /^(?:https?:)?\/\//i.test(plainText)) return '';
  const name = plainText.replace(/\.\w+$/, '');
  const parts = name.split(/[-_.+\s]+/).filter((word) => !/\d/.test(word) && !cameraFileName.test(name));
  const words = fileName.test(plainText) ? parts.join(' ') : plainText;
  const plainWords = splitWords(words);
  if (/^\p{Lu}{1,3}$/u.test(words) || (words.match(latinFiller)?.length ?? 0) * 2 > plainWords.length)
    return '';
  // A word has two letters, or one character of an East Asian script.
  const isWord = /\p{L}.*\p{L}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
  const isTelling = plainWords.some(
    (word) => !/\d/.test(word) && !genericWords.has(word) && isWord.test(word),
  );
  // `Our team` shows people, but `Team member 2` is only a number in a list.
  if (!isTelling && !(/\s\p{L}*team$/iu.test(words) && !/\d/.test(words))) return '';
  const beginning = [...words].slice(0, charactersMax).join('');
  return beginning === words ? words : beginning.replace(/\s\S*$/, '');
}

const askingAttributes =
  'data-image-query data-query data-unsplash-query data-ai-hint data-image-prompt'.split(' ');

/** Reads the words of an attribute that asks for an image; empty if the element has none. */
export function readAskedWords(element: Element): string {
  const texts = askingAttributes.map((name) => readAttr(element, name));
  const text = texts.find((candidate) => candidate !== '' && !hasTemplateMark(candidate)) ?? '';
  return extractWords(text) || text.replace(/[\p{Cc}\s]+/gu, ' ').slice(0, charactersMax);
}
