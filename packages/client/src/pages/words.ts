/** The words of an image: what the page says it should show, and whose portrait it is. */

import type { HtmlPlace } from './html-places';
import {
  around,
  childOf,
  type Element,
  firstFrom,
  imageOf,
  linesIn,
  namesOf,
  onceFor,
  type Page,
  said,
  startOf,
  textOf,
} from './page';
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

/** The words of an image. */
export interface Words {
  /** Empty where nothing is said. */
  readonly words: string;
  /** Whether the URL says them, in whatever language that is. */
  readonly isOfUrl?: boolean;
  /** Whose initials are drawn: a person's, since no stranger may stand for them, or a company's in place of its logo. */
  readonly name?: string;
}

const isHeading = (element: Element): boolean =>
  /^h[1-6]$/.test(element.tagName) ||
  said(element, 'role') === 'heading' ||
  /(?:^|\s)(?:h[1-6]|card-title)(?:\s|$)/.test(said(element, 'class'));

/** Reads what a page says about its parts, once for all of its images. */
export function readTexts({ elements }: Page): PageTexts {
  const selected = new Map<string, Element>();
  for (const element of elements)
    for (const name of [
      element.tagName,
      `#${said(element, 'id')}`,
      ...said(element, 'class')
        .split(/\s+/)
        .map((each) => `.${each}`),
    ])
      if (!selected.has(name)) selected.set(name, element);
  const title = selected.get('title');
  const preview = elements.find((each) => said(each, 'property') === 'og:image:alt');
  const headings = elements.filter(isHeading);
  return {
    ofPage: (preview && telling(said(preview, 'content'))) || (title ? telling(textOf(title)) : ''),
    headings: headings.map((each) => telling(textOf(each))),
    headingStarts: headings.map(startOf),
    imageStarts: elements.filter(({ tagName }) => tagName === 'img').map(startOf),
    selected,
  };
}

/** @param isRound whether the image is shown as a circle */
export function wordsOf(place: HtmlPlace, texts: PageTexts, isRound: boolean): Words {
  const { kind, selector = '', old } = place;
  // The last class, id or tag that a selector names.
  const name = selector
    .replace(/:[\w-]+(?:\([^)]*\))?/g, '')
    .match(/[.#]?[\w-]+/g)
    ?.at(-1);
  const element = texts.selected.get(name ?? '') ?? place.element;
  // The sources of a picture show what its image shows.
  const image = kind === 'source' ? (imageOf(element) ?? element) : element;
  const asked = askedWords(place.element) || askedWords(image);
  if (asked !== '') return { words: asked };
  const own = ['alt', 'aria-label', 'title'].map((each) => telling(said(image, each))).find(Boolean) ?? '';
  const described = telling(old?.words);
  if (kind === 'preview') return { words: own || described || texts.ofPage };
  const person = personIn(image, own || described, texts, isRound || old?.service?.isFace === true);
  if (person !== undefined) return { words: own || person, name: person };
  if (isLogo(image)) return { words: own || 'logo', name: own };
  const near = own || captionOf(image) || textAround(image);
  if (near !== '') return { words: near };
  if (described !== '') return { words: described, isOfUrl: true };
  return { words: headingOf(image, texts) || texts.ofPage };
}

const captionIn = childOf('figcaption');

function captionOf(element: Element): string {
  const figure = around(element, 5).find(({ tagName }) => tagName === 'figure');
  const caption = figure && captionIn(figure);
  return caption ? telling(textOf(caption)) : '';
}

const lineCharactersMax = 120;

/** The first line that says something of the link or the item of a list around an image. */
function textAround(element: Element): string {
  const frame = around(element, 6).find((each) => /^(?:a|button|li)$/.test(each.tagName));
  return frame ? firstLine(frame) : '';
}
const firstLine = onceFor((frame) => {
  const lines = linesIn(frame).filter((line) => line.length <= lineCharactersMax);
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

/** Whether an image is called a logo, by its own names and text and those of the element around it. */
const isLogo = (element: Element): boolean =>
  logoName.test(said(element, 'alt')) || around(element, 2).some((each) => logoName.test(namesOf(each)));
