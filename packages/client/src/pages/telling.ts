/** Which texts say what an image shows, and which stand in every template. */

/** What an image is for, not what it shows: a text of these alone says nothing. */
const generic = new Set(
  `a about add again all alt an and any as at author avatar back background banner bg big blog box brand button by buy
  cap caption card carousel cart category circle client column company content cover cropped customer default demo
  description design details dummy eight eighth enter entry example explore feature featured fifth figure file find first five
  for four fourth from fullsize gallery generic get go goes graphic grid header heading headshot here hero home icon
  illustration image images img in insert is item items jumbotron large latest learn left link list logo logotype main
  medium member mockup more my name news nine ninth no not now number of on one option our page partner person photo
  photograph photos pic pics picture pictures placeholder portfolio portrait post preview product products profile project
  random read resized responsive right rounded sample screenshot second section see seed service seven seventh six sixth
  slide slideshow slider small some soon source sponsor square step stock subtitle tab team template ten tenth test
  testimonial text the third this three thumb thumbnail tile title to two untitled user view visual with your available
  found missing coming loading lazy
  bild foto fotos imagem imagen immagine afbeelding obraz platzhalter produit produkt produto producto prodotto
  titel titre título ohne sem sin sans und et y e o der die das le la les el los un une ein eine
  画像 写真 图片 圖片 照片 이미지 사진`.split(/\s+/),
);

const latin =
  /\b(?:lorem|ipsum|dolor|amet|consectetur|adipisicing|adipiscing|elit|sed|eiusmod|tempor|incididunt|labore|magna|aliqua|enim|veniam|nostrud|ullamco|laboris|nisi|aliquip|commodo|vestibulum|pellentesque|curabitur|praesent|mauris|nullam|vivamus|donec)\b/giu;
const fileName = /^[^\s/]+\.(?:jpe?g|png|gif|webp|avif|svg|bmp|tiff?|heic)$/i;
const camera = /^(?:img|dsc[fn]?|pxl|dji|gopr|wp|vid|mvimg|pict?|p|image|photo|screenshot|unnamed)[\d_-]*$/i;
/** As in `expression` of a URL; a handle or an address is none, so that `@` counts before code only. */
const expression =
  /\{[{%#]|[}%]\}|<[%?]|[$#]\{|(?<![\p{L}\p{N}])@[\p{L}_({]|%[A-Z][A-Z\d_]{2,}%|\[[A-Z][A-Z\d_]*\]|^[{[].*[}\]]$/u;

/** Whether another program puts the text, or a part of it, together. */
export const isExpression = (text: string): boolean => expression.test(text);

/** The words of a text, without what is the name of a file; empty where it says nothing. */
export function telling(text: string | undefined): string {
  const plain = text
    ?.slice(0, 2_000)
    .normalize('NFKC')
    .toWellFormed()
    .replace(/[\p{Cc}\ufffd\s]+/gu, ' ')
    .trim();
  if (!plain || isExpression(plain) || /^(?:https?:)?\/\//i.test(plain)) return '';
  const words = fileName.test(plain) ? wordsOfFile(plain) : plain;
  return says(words) ? shortened(words) : '';
}

/** Whether a text holds a word that says nothing, as no name of a person does. */
export const hasGenericWord = (text: string): boolean =>
  text
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .some((word) => generic.has(word));

function wordsOfFile(name: string): string {
  const base = name.replace(/\.\w+$/, '');
  if (camera.test(base)) return '';
  return base
    .split(/[-_.+\s]+/)
    .filter((word) => !/\d/.test(word))
    .join(' ');
}

function says(text: string): boolean {
  // Initials, `JD`.
  if (/^\p{Lu}{1,3}$/u.test(text)) return false;
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*/gu) ?? [];
  if ((text.match(latin)?.length ?? 0) * 2 > words.length) return false;
  const left = words.filter((word) => !/^[\p{N}_]|\d/u.test(word) && !generic.has(word) && isWord(word));
  // `Our team` shows people; `Team member 2` is one place of many.
  return left.length > 0 || (/\s\p{L}*team$/iu.test(text) && !/\d/.test(text));
}

/** Two letters, or one sign of a script whose signs are words. */
const isWord = (word: string) =>
  /\p{L}.*\p{L}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(word);

const charactersMax = 200;

/** At most 200 characters, cut between words. */
function shortened(text: string): string {
  const characters = [...text];
  if (characters.length <= charactersMax) return text;
  return characters
    .slice(0, charactersMax)
    .join('')
    .replace(/\s\S*$/, '');
}
