/** Extracts the words of an image from texts, and drops texts that say nothing, such as `Card image cap`. */

import { type Element, readAttr } from './page';

/** Words that do not say what an image shows. A text of only these words says nothing. */
const genericWordList = `a about add afbeelding again all alt an and any article as at author available avatar back background banner baz
  bg big bild blog box brand button buy by cap caption card carousel cart category circle click client column
  coming company contact content cover cropped custom customer da das de default del demo der des description design
  details die discover do dos download du dummy e eight eighth ein eine el enlarge enter entry et example explore feature featured
  featurette fifth figure file find first five foo for foto fotos found four fourth from fullsize gallery generic
  get getty go goes graphic grid header heading headshot hello here hero home icon illustration image imagem
  imagen images img immagine in insert is istock item items jumbotron la large latest lazy le learn left les link
  list loading logo logotype los main me medium member mini missing mockup more my name news nine ninth no not now
  number o obraz of ohne on one option order our page partner person pexels photo photograph photos pic pics picsum
  picture pictures pixabay placeholder placeholdit platzhalter portfolio portrait post preview prodotto product
  producto products produit produkt produto profile project random read replace resized responsive right rounded
  sample sans screen screenshot second section see seed sem shop sign seo service seven seventh shot shutterstock sin six
  sixth slide slider slideshow small some soon source sponsor square standard step stock sub subscribe subtitle tab tag team
  template ten tenth test testimonial text the third this three thumb thumbnail tile titel title titre to two
  título un und une unsplash untitled up us user view visual whatsapp wide with world y your zoom 写真 图片 圖片 照片 画像 사진 이미지`;
const genericWords = new Set(genericWordList.split(/\s+/));
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

/** Normalises a text as the service does. Characters that the service refuses become spaces. */
function normaliseText(text: string): string {
  const whole = text.slice(0, 2_000).normalize('NFKC').toWellFormed();
  return whole.replace(/[\p{Cc}\ufffd\s]+/gu, ' ').trim();
}

/** Extracts words that say what an image shows from a text or file name, up to 200 characters; empty for none. */
export function extractWords(text = ''): string {
  const plainText = normaliseText(text);
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
  const texts = askingAttributes.map((name) => normaliseText(readAttr(element, name)));
  // The service refuses a text of only hyphens, underscores and invisible characters.
  const text = texts.find((asked) => /[^-_\s\p{Cf}]/u.test(asked) && !hasTemplateMark(asked)) ?? '';
  return extractWords(text) || [...text].slice(0, charactersMax).join('');
}
