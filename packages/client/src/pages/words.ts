/** Finds the words of an image, and the name of the person or company that it stands for. */

import { findFirst } from './edits';
import type { Image } from './find-images';
import type { HtmlPlace } from './html-places';
import { hasGenericWord, readAskedWords, readWords } from './meaningful-text';
import type { Element, HtmlPage } from './page';
import {
  createChildFinder,
  findImg,
  getStart,
  joinNames,
  listEnclosing,
  memoize,
  readAttr,
  readLines,
  readText,
} from './page';

const isHeading = (element: Element): boolean =>
  /^h[1-6]$/.test(element.tagName) ||
  readAttr(element, 'role') === 'heading' ||
  /(?:^|\s)(?:h[1-6]|card-title)(?:\s|$)/.test(readAttr(element, 'class'));

const readHeading = memoize((heading) => readWords(readText(heading)));
const findCaption = createChildFinder('figcaption');
const readFirstLine = memoize((frame) => {
  const lines = readLines(frame).filter((line) => line.length <= 120);
  return lines.map((line) => readWords(line)).find(Boolean) ?? '';
});

/** Reads the caption of an image, or the first line of the link or list item around it that says something. */
function readTextBeside(element: Element): string {
  const frames = listEnclosing(element, 6);
  const figure = frames.find(({ tagName }) => tagName === 'figure');
  const caption = figure && findCaption(figure);
  const frame = frames.find(({ tagName }) => /^(?:a|button|li)$/.test(tagName));
  return (caption && readWords(readText(caption))) || (frame ? readFirstLine(frame) : '');
}

const nameWord = "\\p{Lu}[\\p{L}'’-]+";
const fullName = `${nameWord}(?:\\s(?:\\p{Lu}\\.|d[aeo]s?|del|van|von|al|bin))*(?:\\s${nameWord}){1,2}`;
const personTitle = '(?:Dr|Dra|Prof|Mr|Mrs|Ms|Herr|Frau)\\.?\\s';
const nameEnd = "(?:$|\\s?[,.:;|–—(]|\\s(?:-|from|at|of|de|da)\\s|'s|’s)";
const nameInWords = new RegExp(`(?:^|\\s)(${fullName})${nameEnd}`, 'u');
const nameFirst = new RegExp(`^(?:${personTitle})*(${fullName})${nameEnd}`, 'u');
const easternName = /^([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]{2,8})(?:さん|様|氏)?$/u;
const photoOf = /^(?:photo|picture|foto)\s+(?:of|de|da|do)\s+/i;
const portraitOf = /^(?:portrait|headshot|avatar|retrato)\s+(?:of|de|da|do)\s+/i;
const personWord =
  /^(?:avatars?|authors?|testimonials?|profiles?|speakers?|founders?|headshots?|reviewers?|reviews?|comments?|commenters?|bio|teams?|members?|staff|users?)$/;

/** Returns true if a text has a word for people, also in a compound such as `teamMember`. */
export function hasPeople(text: string): boolean {
  const words = text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').split(/[^\p{L}]+/u);
  return words.some((word) => personWord.test(word.toLowerCase()));
}
const isOfPerson = memoize((element) => hasPeople(joinNames(element)));

const logoName = /(?:^|[\s_-])logos?(?:$|[\s_-])/i;
/** Returns true if the text, class or id of an image calls it a logo, or the class or id of its parent. */
const isLogo = (element: Element): boolean =>
  logoName.test(readAttr(element, 'alt')) ||
  listEnclosing(element, 2).some((node) => logoName.test(joinNames(node)));

const roundName = /(?:^|[\s_-])(?:rounded-full|avatar|rounded-circle|headshot)(?:$|[\s_-])/i;
export const isRound = (element: Element): boolean =>
  roundName.test(readAttr(element, 'class')) || /border-radius\s*:\s*50%/.test(readAttr(element, 'style'));

export const findName = (words: string, pattern = nameInWords): string | undefined =>
  pattern.exec(words.replace(portraitOf, '').replace(photoOf, ''))?.[1] ??
  easternName.exec(words.replace(/\s/g, ''))?.[1];

const holds = (frame: Element, element: Element): boolean =>
  getStart(element) >= getStart(frame) && getStart(element) < (frame.sourceCodeLocation?.endOffset ?? 0);

interface PageTexts {
  readonly elementsByName: ReadonlyMap<string, Element>;
  readonly pageWords: string;
  readonly headings: readonly Element[];
  readonly images: readonly Element[];
}

/** Reads what all images of a page need: titles, headings, images, and elements by their names. */
export function readPageTexts({ elements }: HtmlPage): PageTexts {
  // Holds the first element of each class (`.name`), id (`#name`) and tag.
  const elementsByName = new Map<string, Element>();
  for (const element of elements) {
    const classes = readAttr(element, 'class').split(/\s+/);
    const names = [element.tagName, `#${readAttr(element, 'id')}`, ...classes.map((name) => `.${name}`)];
    for (const name of names) if (!elementsByName.has(name)) elementsByName.set(name, element);
  }
  const title = elementsByName.get('title');
  const preview = elements.find((element) => readAttr(element, 'property') === 'og:image:alt');
  const pageWords = readWords(preview && readAttr(preview, 'content')) || readWords(title && readText(title));
  const images = elements.filter(({ tagName }) => tagName === 'img');
  return { elementsByName, pageWords, headings: elements.filter(isHeading), images };
}

/** Finds the words of an image, the best source first. They are empty if no source says anything. */
export function findImageWords(texts: PageTexts, place: HtmlPlace): Pick<Image, 'words' | 'name' | 'lang'> {
  const { kind, selector = '', judgedUrl } = place;
  const languages = listEnclosing(place.element).map(
    (node) => readAttr(node, 'lang') || readAttr(node, 'xml:lang'),
  );
  const lang = languages.find((language) => /^[a-z]{2,3}(?:-[\da-z]{2,8})*$/i.test(language));
  // A selector ends with the class, id or tag that shows the background.
  const names = selector.replace(/:[\w-]+(?:\([^)]*\))?/g, '').match(/[.#]?[\w-]+/g) ?? [];
  const shownOn = texts.elementsByName.get(names.at(-1) ?? '') ?? place.element;
  const element = kind === 'source' ? (findImg(shownOn) ?? shownOn) : shownOn;
  const ownTexts = ['alt', 'aria-label', 'title'].map((name) => readWords(readAttr(element, name)));
  const text = ownTexts.find(Boolean) ?? '';
  const urlWords = readWords(judgedUrl?.words);
  const askedWords = readAskedWords(place.element) || (kind === 'preview' ? '' : readAskedWords(element));
  if (askedWords !== '') return { words: askedWords, lang };
  // A preview stands for the whole page, so the texts around it say nothing.
  if (kind === 'preview') return { words: text || urlWords || texts.pageWords, lang };
  const name = findPerson(texts, place, element, text || urlWords);
  if (name !== undefined) return { words: text || name, name, lang };
  // No photo is the logo of a company, so its initials are drawn.
  if (isLogo(element)) return { words: text || 'logo', name: text, lang };
  const words = text || readTextBeside(element);
  // The language of words in a URL is not known.
  if (words === '' && urlWords !== '') return { words: urlWords };
  return { words: words || findNearestHeading(texts, element) || texts.pageWords, lang };
}

/** Finds the name of the person on a portrait. A stranger must not stand for a person, so initials are drawn. */
function findPerson(texts: PageTexts, place: HtmlPlace, element: Element, words: string): string | undefined {
  const isPerson =
    isRound(place.element) ||
    place.judgedUrl?.service?.isFace ||
    portraitOf.test(words) ||
    listEnclosing(element, 4).some(isOfPerson);
  return isPerson ? (findName(words) ?? findNameBeside(texts, element)) : undefined;
}

function findNearestHeading({ headings }: PageTexts, element: Element): string {
  const next = findFirst(headings, getStart(element), getStart);
  const nearest = headings.slice(Math.max(0, next - 1), next + 1);
  const listWithin = (frame: Element) => nearest.filter((heading) => holds(frame, heading));
  const byDistance = [...listEnclosing(element, 9).map(listWithin), nearest].flat();
  return byDistance.map(readHeading).find(Boolean) ?? '';
}

function findNameBeside({ images }: PageTexts, element: Element): string | undefined {
  for (const block of listEnclosing(element, 5).slice(1)) {
    const nextImage = images[findFirst(images, getStart(block), getStart) + 1];
    if ((nextImage && holds(block, nextImage)) || /^(?:body|html|main)$/.test(block.tagName))
      return undefined;
    const names = readLines(block).flatMap((line) => findName(line, nameFirst) ?? []);
    const name = names.find((candidate) => !hasGenericWord(candidate));
    if (name !== undefined) return name;
  }
  return undefined;
}
