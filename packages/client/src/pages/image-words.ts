/** The words of an image: what the page says it should show, and whose portrait it is. */

import type { Words } from './fill-places';
import type { ImagePlace } from './image-places';
import {
  around,
  attribute,
  type Element,
  firstFrom,
  imageOf,
  linesIn,
  namesOf,
  onceFor,
  type Page,
  startOf,
  textOf,
} from './read-page';
import { askedWords, hasGenericWord, telling } from './telling';

/** What a page says about its parts, read once. */
export interface PageTexts {
  /** What is said of the page as a whole; empty for nothing. */
  readonly ofPage: string;
  /** What headings say, and where they begin, in the order of the source. */
  readonly headings: readonly string[];
  readonly headingStarts: readonly number[];
  readonly imageStarts: readonly number[];
  /** The first element by class (`.name`), id (`#name`) and tag. */
  readonly selected: ReadonlyMap<string, Element>;
}

const isHeading = (element: Element): boolean =>
  /^h[1-6]$/.test(element.tagName) ||
  attribute(element, 'role') === 'heading' ||
  /(?:^|\s)(?:h[1-6]|card-title)(?:\s|$)/.test(attribute(element, 'class') ?? '');

/** Reads what a page says about its parts, once for all of its images. */
export function readTexts({ elements }: Page): PageTexts {
  const selected = new Map<string, Element>();
  const metas = new Map<string, string>();
  for (const element of elements) {
    const classes = attribute(element, 'class')?.split(/\s+/) ?? [];
    const names = [element.tagName, `#${attribute(element, 'id')}`, ...classes.map((each) => `.${each}`)];
    for (const name of names) if (!selected.has(name)) selected.set(name, element);
    const meta = attribute(element, 'property') ?? attribute(element, 'name') ?? '';
    if (element.tagName === 'meta') metas.set(meta, attribute(element, 'content') ?? '');
  }
  const title = selected.get('title');
  const ofPage = [metas.get('og:image:alt'), metas.get('twitter:image:alt'), title && textOf(title)];
  const headings = elements.filter(isHeading);
  return {
    ofPage: ofPage.map((text) => telling(text)).find(Boolean) ?? '',
    headings: headings.map((each) => telling(textOf(each))),
    headingStarts: headings.map(startOf),
    imageStarts: elements.filter(({ tagName }) => tagName === 'img').map(startOf),
    selected,
  };
}

/**
 * The words of an image, with the name of whom or what it is drawn for.
 * @param isRound whether the image is shown as a circle
 */
export function wordsOf(place: ImagePlace, texts: PageTexts, isRound: boolean): Words {
  const { kind, selector, verdict } = place;
  const element = (selector && texts.selected.get(lastName(selector))) || place.element;
  // The sources of a picture show what its image shows.
  const image = kind === 'source' ? (imageOf(element) ?? element) : element;
  const asked = askedWords(place.element) || askedWords(image);
  if (asked !== '') return { text: asked };
  const own =
    ['alt', 'aria-label', 'title'].map((name) => telling(attribute(image, name))).find(Boolean) ?? '';
  const { words = '', isFace = false } = 'fill' in verdict ? verdict : {};
  const described = telling(words);
  if (kind === 'preview') return { text: own || described || texts.ofPage };
  const name = personIn(image, own || described, texts, isRound || isFace);
  if (name !== undefined) return { text: own || name, name };
  if (isLogo(image)) return { text: own || 'logo', name: own };
  const near = own || captionOf(image) || textAround(image);
  if (near !== '') return { text: near };
  if (described !== '') return { text: described, isOfUrl: true };
  return { text: headingOf(image, texts) || texts.ofPage };
}

const captionIn = onceFor((figure) =>
  figure.childNodes.find((each): each is Element => each.nodeName === 'figcaption'),
);

function captionOf(element: Element): string {
  const figure = around(element, 5).find(({ tagName }) => tagName === 'figure');
  const caption = figure && captionIn(figure);
  return caption ? telling(textOf(caption)) : '';
}

/** What links say that lead on, whatever they lead to. */
const callToAction =
  /^(?:read|learn|shop|view|see|buy|add|get|find|click|order|book|sign|log|download|subscribe|contact|discover|explore)\b.{0,24}$/i;
const lineCharactersMax = 120;

/** The first line that says something of the link or the item of a list around an image. */
function textAround(element: Element): string {
  const frame = around(element, 6).find((each) => /^(?:a|button|li)$/.test(each.tagName));
  return frame ? firstLine(frame) : '';
}
const firstLine = onceFor((frame) => {
  const lines = linesIn(frame).filter((line) => line.length <= lineCharactersMax && !callToAction.test(line));
  return lines.map((line) => telling(line)).find(Boolean) ?? '';
});

/** Whether a position of the source lies in an element. */
const holds = ({ sourceCodeLocation: at }: Element, offset = -1): boolean =>
  at != null && offset >= at.startOffset && offset < at.endOffset;

/** The nearest heading that says something: the last one before the image in the innermost part that has one, else the next. */
function headingOf(element: Element, { headings, headingStarts }: PageTexts): string {
  const next = firstFrom(headingStarts, startOf(element));
  const nearest = [next - 1, next];
  const within = (frame: Element) => nearest.filter((index) => holds(frame, headingStarts[index]));
  const words = [...around(element, 9).map(within), nearest].flat().map((index) => headings[index]);
  return words.find(Boolean) ?? '';
}

/** BCP 47 tag of the nearest element that names one. */
export function languageOf(element: Element): string | undefined {
  const names = around(element).map((each) => attribute(each, 'lang') ?? attribute(each, 'xml:lang'));
  return names.find((lang) => lang && /^[a-z]{2,3}(?:-[\da-z]{2,8})*$/i.test(lang));
}

/** The last class, id or tag that a selector names. */
function lastName(selector: string): string {
  const plain = selector.replace(/:[\w-]+(?:\([^)]*\))?/g, '');
  return plain.match(/[.#]?[\w-]+/g)?.at(-1) ?? '';
}

const nameWord = "\\p{Lu}[\\p{L}'’-]+";
const fullName = `${nameWord}(?:\\s(?:\\p{Lu}\\.|d[aeo]s?|del|van|von|al|bin))*(?:\\s${nameWord}){1,2}`;
const titled = '(?:Dr|Dra|Prof|Mr|Mrs|Ms|Herr|Frau)\\.?\\s';
const nameEnd = "(?:$|\\s?[,.:;|–—(]|\\s(?:-|from|at|of|de|da)\\s|'s|’s)";
const nameInWords = new RegExp(`(?:^|\\s)(${fullName})${nameEnd}`, 'u');
const nameFirst = new RegExp(`^(?:${titled})*(${fullName})${nameEnd}`, 'u');
const easternName = /^([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]{2,8})(?:さん|様|氏)?$/u;
const photoOf = /^(?:photo|picture|foto)\s+(?:of|de|da|do)\s+/i;
const portraitOf = /^(?:portrait|headshot|avatar|retrato)\s+(?:of|de|da|do)\s+/i;
/** Whole words of a class or an id: what is called so shows a person. */
const ofPerson =
  /^(?:avatars?|authors?|testimonials?|profiles?|speakers?|founders?|headshots?|reviewers?|reviews?|comments?|commenters?|bio|teams?|members?|staff|users?)$/;

/** Whether a text holds one of the words for people: of a name that is put together, too, such as `teamMember`. */
export const namesPeople = (text: string): boolean =>
  text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .some((word) => ofPerson.test(word));
const isOfPerson = onceFor((element) => namesPeople(namesOf(element)));

/** A person's name in words. */
export const nameIn = (words: string, pattern = nameInWords): string | undefined =>
  pattern.exec(words.replace(portraitOf, '').replace(photoOf, ''))?.[1] ??
  easternName.exec(words.replace(/\s/g, ''))?.[1];

/**
 * The name of the person whose portrait an image is: in its words, else beside it.
 * @param isFace whether it is shown as faces are, or showed one
 */
function personIn(element: Element, words: string, texts: PageTexts, isFace: boolean): string | undefined {
  const isPerson = isFace || portraitOf.test(words) || around(element, 4).some(isOfPerson);
  return isPerson ? (nameIn(words) ?? nameBeside(element, texts)) : undefined;
}

/** The first name in the innermost block around an image that has one, as long as no other image stands there. */
function nameBeside(element: Element, { imageStarts }: PageTexts): string | undefined {
  for (const block of around(element, 5).slice(1)) {
    const others = firstFrom(imageStarts, startOf(block));
    if (holds(block, imageStarts[others + 1]) || /^(?:body|html|main)$/.test(block.tagName)) return undefined;
    const names = linesIn(block).map((line) => nameIn(line, nameFirst));
    const name = names.find((each) => each !== undefined && !hasGenericWord(each));
    if (name !== undefined) return name;
  }
  return undefined;
}

const logoName = /(?:^|[\s_-])logos?(?:$|[\s_-])/i;
const isNamedLogo = onceFor((element) => logoName.test(namesOf(element)));

/** Whether an image is called a logo, by its own names and text and those of the element around it. */
const isLogo = (element: Element): boolean =>
  around(element, 2).some(isNamedLogo) || logoName.test(attribute(element, 'alt') ?? '');
