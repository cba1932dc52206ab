/** Finds the words of an image, and the name of the person or company that it stands for. */

import { findFirst } from './edits';
import type { HtmlPlace } from './html-places';
import { extractWords, hasGenericWord, readAskedWords } from './meaningful-text';
import type { Element, HtmlPage } from './page';
import {
  createChildFinder,
  findImg,
  getOffset,
  joinNames,
  listEnclosing,
  memoize,
  readAttr,
  readFirstLines,
  readFirstText,
} from './page';

const isHeading = (element: Element): boolean =>
  /^h[1-6]$/.test(element.tagName) ||
  readAttr(element, 'role') === 'heading' ||
  /(?:^|\s)(?:h[1-6]|card-title)(?:\s|$)/.test(readAttr(element, 'class'));

const findCaption = createChildFinder('figcaption');

/** Reads the caption of an image, or the first line of the link or list item around it that says something. */
function readTextBeside(element: Element): string {
  const frames = listEnclosing(element, 6);
  const figure = frames.find(({ tagName }) => tagName === 'figure');
  const caption = figure && findCaption(figure);
  const frame = frames.find(({ tagName }) => /^(?:a|button|li)$/.test(tagName));
  const lines = frame ? readFirstLines(frame).filter((line) => line.length <= 120) : [];
  const texts = [caption ? readFirstText(caption) : '', ...lines];
  return texts.map((text) => extractWords(text)).find(Boolean) ?? '';
}

const nameWord = "\\p{Lu}[\\p{L}'’-]+";
const fullName = `${nameWord}(?:\\s(?:\\p{Lu}\\.|d[aeo]s?|del|van|von|al|bin))*(?:\\s${nameWord}){1,2}`;
const personTitle = '(?:Dr|Dra|Prof|Mr|Mrs|Ms|Herr|Frau)\\.?\\s';
const nameEnd = "(?:$|\\s?[,.:;|–—(]|\\s(?:-|from|at|of|de|da)\\s|'s|’s)";
const nameInWords = new RegExp(`(?:^|\\s)(${fullName})${nameEnd}`, 'u');
const leadingName = new RegExp(`^(?:${personTitle})*(${fullName})${nameEnd}`, 'u');
const easternName = /^([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]{2,8})(?:さん|様|氏)?$/u;
const photoPrefix = /^(?:photo|picture|foto)\s+(?:of|de|da|do)\s+/i;
const portraitPrefix = /^(?:portrait|headshot|avatar|retrato)\s+(?:of|de|da|do)\s+/i;
/** Matches names of places by words that are hardly ever names of people, as `Bridge` and `Hill` are. */
const placeName =
  /^(?:mount|national)\s|\s(?:basilica|canyon|cathedral|falls|glacier|harbou?r|lighthouse|monument|mosque|mountains?|museum|opera|palace|pyramids?|stadium|tower|valley|volcano)(?:$|\s)/i;
const personWord =
  /^(?:avatars?|authors?|testimonials?|profiles?|speakers?|founders?|headshots?|reviewers?|reviews?|comments?|commenters?|bio|teams?|members?|staff|users?)$/;

/** Returns true if a text has a word for people, also in a compound such as `teamMember`. */
export function hasPersonWord(text: string): boolean {
  const words = text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').split(/[^\p{L}]+/u);
  return words.some((word) => personWord.test(word.toLowerCase()));
}

const logoName = /(?:^|[\s_-])logos?(?:$|[\s_-])/i;
/** Returns true if the text, class or id of an image calls it a logo, or the class or id of its parent. */
const isLogo = (element: Element): boolean =>
  logoName.test(readAttr(element, 'alt')) ||
  listEnclosing(element, 2).some((node) => logoName.test(joinNames(node)));

const roundName = /(?:^|[\s_-])(?:rounded-full|avatar|rounded-circle|headshot)(?:$|[\s_-])/i;
export const isRound = (element: Element): boolean =>
  roundName.test(readAttr(element, 'class')) || /border-radius\s*:\s*50%/.test(readAttr(element, 'style'));

/** Finds a name of two or more words, which may be of a place. */
const findFullName = (words: string, pattern = nameInWords): string | undefined =>
  pattern.exec(words.replace(portraitPrefix, '').replace(photoPrefix, ''))?.[1] ??
  easternName.exec(words.replace(/\s/g, ''))?.[1];

/** Finds the name of a person in words. Names of places and headings such as `Our Team` are none. */
export function findName(words: string): string | undefined {
  const name = findFullName(words) ?? '';
  // Some surnames are generic words: `Page`, `Le`.
  const isLabel = hasPersonWord(name) || extractWords(name) === '';
  return isLabel || placeName.test(name) ? undefined : name;
}

const contains = (frame: Element, element: Element): boolean =>
  getOffset(element) >= getOffset(frame) && getOffset(element) < (frame.sourceCodeLocation?.endOffset ?? 0);

const listHeadings = memoize(({ elements }: HtmlPage) => elements.filter(isHeading));
const listImgs = memoize(({ elements }: HtmlPage) => elements.filter(({ tagName }) => tagName === 'img'));

/** Reads what a page says about its images together: the text of its preview, or its title. */
const readPageWords = memoize(({ elements }: HtmlPage) => {
  const title = elements.find(({ tagName }) => tagName === 'title');
  const preview = elements.find((element) => readAttr(element, 'property') === 'og:image:alt');
  const previewWords = extractWords(preview && readAttr(preview, 'content'));
  return previewWords || extractWords(title && readFirstText(title));
});

/** Maps the first element of each class (`.name`), id (`#name`) and tag. */
const mapElementsByName = memoize(({ elements }: HtmlPage) => {
  const elementsByName = new Map<string, Element>();
  for (const element of elements) {
    const classes = readAttr(element, 'class').split(/\s+/);
    const names = [element.tagName, `#${readAttr(element, 'id')}`, ...classes.map((name) => `.${name}`)];
    for (const name of names) if (!elementsByName.has(name)) elementsByName.set(name, element);
  }
  return elementsByName;
});

/** Finds the words of an image, the best source first. They are empty if no source says anything. */
export function findImageWords(page: HtmlPage, place: HtmlPlace) {
  const { kind, selector = '', judgedUrl } = place;
  // The service takes at most four parts of a tag.
  const tag = /^[a-z]{2,3}(?:-[\da-z]{2,8}){0,3}(?=-|$)/i;
  const readTag = (node: Element) => tag.exec(readAttr(node, 'lang') || readAttr(node, 'xml:lang'))?.[0];
  const lang = listEnclosing(place.element).map(readTag).find(Boolean);
  // A selector ends with the class, id or tag that shows the background.
  const names = selector.replace(/:[\w-]+(?:\([^)]*\))?/g, '').match(/[.#]?[\w-]+/g) ?? [];
  const shownOn = mapElementsByName(page).get(names.at(-1) ?? '') ?? place.element;
  const element = kind === 'source' ? (findImg(shownOn) ?? shownOn) : shownOn;
  const askedWords = readAskedWords(place.element) || (kind === 'preview' ? '' : readAskedWords(element));
  if (askedWords !== '') return { words: askedWords, lang };
  const ownTexts = ['alt', 'aria-label', 'title'].map((name) => extractWords(readAttr(element, name)));
  const text = ownTexts.find(Boolean) ?? '';
  const urlWords = judgedUrl?.words ?? '';
  // A preview stands for the whole page, so the texts around it say nothing.
  if (kind === 'preview') return { words: text || urlWords || readPageWords(page), lang };
  const isPortrait = isRound(place.element) || judgedUrl?.service?.isFace === true;
  const name = findPersonName(page, element, text || urlWords, isPortrait);
  if (name !== undefined) return { words: text || name, name, lang };
  // No photo is the logo of a company, so its initials are drawn.
  if (isLogo(element)) return { words: text || 'logo', name: text, lang };
  const words = text || readTextBeside(element);
  // The language of words in a URL is not known.
  if (words === '' && urlWords !== '') return { words: urlWords };
  return { words: words || findNearestHeading(page, element) || readPageWords(page), lang };
}

/** Finds the name of the person on a portrait. A stranger must not stand for a person, so initials are drawn. */
function findPersonName(page: HtmlPage, element: Element, words: string, isPortrait: boolean) {
  const isNamedForPeople = listEnclosing(element, 4).some((node) => hasPersonWord(joinNames(node)));
  const isOfPerson = isPortrait || portraitPrefix.test(words) || isNamedForPeople;
  if (!isOfPerson) return undefined;
  // A photo of a place shows no person, even if it belongs to a review.
  const isPlace = placeName.test(findFullName(words) ?? '');
  return isPlace ? undefined : (findName(words) ?? findNameBeside(page, element));
}

function findNearestHeading(page: HtmlPage, element: Element): string {
  const headings = listHeadings(page);
  const next = findFirst(headings, getOffset(element), getOffset);
  const nearest = headings.slice(Math.max(0, next - 1), next + 1);
  const listHeadingsIn = (frame: Element) => nearest.filter((heading) => contains(frame, heading));
  const byDistance = [...listEnclosing(element, 9).map(listHeadingsIn), nearest].flat();
  return byDistance.map((heading) => extractWords(readFirstText(heading))).find(Boolean) ?? '';
}

/** Finds the name of a person in the blocks around an image, as far as no other image stands in them. */
function findNameBeside(page: HtmlPage, element: Element): string | undefined {
  const imgs = listImgs(page);
  for (const block of listEnclosing(element, 5).slice(1)) {
    const secondImg = imgs[findFirst(imgs, getOffset(block), getOffset) + 1];
    if ((secondImg && contains(block, secondImg)) || /^(?:body|html|main)$/.test(block.tagName))
      return undefined;
    const lineNames = readFirstLines(block).flatMap((line) => findFullName(line, leadingName) ?? []);
    const names = lineNames.filter((name) => !placeName.test(name) && !hasGenericWord(name));
    if (names.length > 0) return names[0];
  }
  return undefined;
}
