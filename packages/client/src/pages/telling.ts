/** Which texts say what an image shows, and which stand in every template. */

/** Words that say what an image is for, not what it shows: a text of these alone says nothing. */
const generic = new Set(
  `a about add again all alt an and any as at author avatar back background banner bg big blog box brand button by buy
  cap caption card carousel cart category circle client column company content cover cropped customer default demo
  description design details dummy eight eighth enter entry example explore feature featured fifth figure file find
  first five for four fourth from fullsize gallery generic get go goes graphic grid header heading headshot here hero
  home icon illustration image images img in insert is item items jumbotron large latest learn left link list loading
  logo logotype main medium member missing mockup more my name news nine ninth no not now number of on one option our
  page partner person photo photograph photos pic pics picture pictures placeholder portfolio portrait post preview
  product products profile project random read resized responsive right rounded sample screenshot second section see
  seed service seven seventh six sixth slide slideshow slider small some soon source sponsor square step stock subtitle
  tab team template ten tenth test testimonial text the third this three thumb thumbnail tile title to two untitled user
  view visual with your available found coming lazy
  bild foto fotos imagem imagen immagine afbeelding obraz platzhalter produit produkt produto producto prodotto
  titel titre título ohne sem sin sans und et y e o der die das le la les el los un une ein eine
  画像 写真 图片 圖片 照片 이미지 사진`.split(/\s+/),
);
const latin =
  /\b(?:lorem|ipsum|dolor|amet|consectetur|adipis\w+|elit|sed|eiusmod|tempor|incididunt|labore|magna|aliqua|enim|veniam|nostrud|ullamco|nisi|aliquip|commodo|vestibulum|pellentesque|curabitur|praesent|mauris|nullam|vivamus|donec)\b/gi;
const fileName = /^[^\s/]+\.(?:jpe?g|png|gif|webp|avif|svg|bmp|tiff?|heic)$/i;
const cameraName = /^(?:img|dsc[fn]?|pxl|dji|gopr|wp|vid|mvimg|pict?|p|unnamed)[\d_-]*$/i;
/** As in the `expression` of a URL; an address or `@` before a space is none. */
const expression =
  /\{[{%#]|[}%]\}|<[%?]|[$#]\{|(?<![\p{L}\p{N}])@[\p{L}_({]|%[A-Z][A-Z\d_]{2,}%|\[[A-Z][A-Z\d_]*\]|^[{[].*[}\]]$/u;
const charactersMax = 200;

/** Whether another program puts the text, or a part of it, together. */
export const isExpression = (text: string): boolean => expression.test(text);

/** Letters and digits with what belongs to them, in lower case. */
const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}'’]+/gu) ?? [];

/** Whether a text holds a word that says nothing, as no name of a person does. */
export const hasGenericWord = (text: string): boolean => wordsIn(text).some((word) => generic.has(word));

/** The words of a text, those of a file's name too, at most 200 characters; empty where it says nothing. */
export function telling(text = ''): string {
  const plain = text
    .slice(0, 2_000)
    .normalize('NFKC')
    .toWellFormed()
    .replace(/[\p{Cc}\ufffd\s]+/gu, ' ')
    .trim();
  if (isExpression(plain) || /^(?:https?:)?\/\//i.test(plain)) return '';
  const words = fileName.test(plain) ? wordsOfFile(plain.replace(/\.\w+$/, '')) : plain;
  if (!says(words)) return '';
  const characters = [...words];
  return characters.length <= charactersMax
    ? words
    : characters
        .slice(0, charactersMax)
        .join('')
        .replace(/\s\S*$/, '');
}

const wordsOfFile = (name: string) =>
  cameraName.test(name)
    ? ''
    : name
        .split(/[-_.+\s]+/)
        .filter((word) => !/\d/.test(word))
        .join(' ');

function says(text: string): boolean {
  const words = wordsIn(text);
  // Initials, and Latin filler.
  if (/^\p{Lu}{1,3}$/u.test(text) || (text.match(latin)?.length ?? 0) * 2 > words.length) return false;
  const left = words.filter((word) => !/\d/.test(word) && !generic.has(word));
  // Two letters, or one sign of a script whose signs are words.
  const isWord = /\p{L}.*\p{L}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
  // `Our team` shows people; `Team member 2` is one place of many.
  return left.some((word) => isWord.test(word)) || (/\s\p{L}*team$/iu.test(text) && !/\d/.test(text));
}
