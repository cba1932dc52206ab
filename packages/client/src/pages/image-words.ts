/** The words of an image: what the page says it should show, and whose portrait it is. */

import type { ImagePlace } from './image-place';
import {
  around,
  attribute,
  type Element,
  firstFrom,
  linesIn,
  namesOf,
  onceFor,
  type Page,
  parentOf,
  textOf,
} from './read-page';
import { hasGenericWord, isExpression, telling } from './telling';

/** Attributes in which authors and page generators write what an image should show; ours first. */
const askingAttributes = [
  'data-image-query',
  'data-query',
  'data-unsplash-query',
  'data-ai-hint',
  'data-image-prompt',
];

/** The words by which an element asks for an image, empty where it does not. */
export function askedWords(element: Element): string {
  for (const name of askingAttributes) {
    const text = attribute(element, name)?.trim();
    if (text && !isExpression(text)) return telling(text) || text.replace(/[\p{Cc}\s]+/gu, ' ').slice(0, 200);
  }
  return '';
}

/** What a page says about its parts, read once. */
export interface PageTexts {
  /** Of the page as a whole, the best first. */
  readonly ofPage: readonly string[];
  /** What headings say, in the order of the tree, and their places in it. */
  readonly headings: readonly string[];
  readonly headingOrders: readonly number[];
  /** What links and items of lists say, as far as it was asked. */
  readonly firstLines: Map<Element, string>;
  /** The first element by class (`.name`), id (`#name`) and tag. */
  readonly selected: ReadonlyMap<string, Element>;
}

const headingClass = /(?:^|\s)(?:h[1-6]|card-title)(?:\s|$)/;

function isHeading(element: Element): boolean {
  return (
    /^h[1-6]$/.test(element.tagName) ||
    attribute(element, 'role') === 'heading' ||
    headingClass.test(attribute(element, 'class') ?? '')
  );
}

export function readTexts(page: Page): PageTexts {
  const selected = new Map<string, Element>();
  const select = (name: string, element: Element) => selected.has(name) || selected.set(name, element);
  const headings: Element[] = [];
  const metas = new Map<string, string>();
  let title = '';
  for (const element of page.elements) {
    page.work.step();
    select(element.tagName, element);
    for (const { name, value } of element.attrs) {
      if (name === 'id') select(`#${value}`, element);
      if (name === 'class') for (const each of value.split(/\s+/)) select(`.${each}`, element);
    }
    if (isHeading(element)) headings.push(element);
    if (element.tagName === 'title') title ||= textOf(page, element);
    if (element.tagName === 'meta')
      metas.set(
        attribute(element, 'property') ?? attribute(element, 'name') ?? '',
        attribute(element, 'content') ?? '',
      );
  }
  const ofPage = [metas.get('og:image:alt'), metas.get('twitter:image:alt'), title].map(telling);
  return {
    ofPage: ofPage.filter(Boolean),
    headings: headings.map((each) => telling(textOf(page, each))),
    firstLines: new Map(),
    headingOrders: headings.map((each) => page.standing.get(each)?.order ?? 0),
    selected,
  };
}

/** The words of an image. */
export interface Words {
  /** Empty where the page says nothing. */
  readonly text: string;
  /** Whether the URL says them, in whatever language that is. */
  readonly isOfUrl: boolean;
  /** Whose portrait the image is, where a name stands there: no stranger may stand for them. */
  readonly person?: string | undefined;
  /** Whether it is the logo of a company. */
  readonly isLogo?: boolean;
}

/** @param isRound whether the image is shown as a circle */
export function wordsOf(place: ImagePlace, page: Page, texts: PageTexts, isRound: boolean): Words {
  const element = (place.selector && texts.selected.get(lastName(place.selector))) || place.element;
  // The sources of a picture show what its image shows.
  const image = place.kind === 'source' ? (imageOf(place.element) ?? element) : element;
  const asked = askedWords(place.element) || askedWords(image);
  if (asked !== '') return { text: asked, isOfUrl: false };
  const own = ownWords(image);
  const { words: inUrl = '', isFace = false } = 'fill' in place.verdict ? place.verdict : {};
  const described = telling(inUrl);
  if (place.kind !== 'preview') {
    const person = personIn(image, own || described, page, isRound || isFace);
    if (person !== undefined) return { text: own || person, isOfUrl: false, person };
    if (isLogo(image)) return { text: own || 'logo', isOfUrl: false, isLogo: true };
  }
  const near = () =>
    place.kind === 'preview' ? '' : captionOf(image, page) || textAround(image, page, texts);
  const before = own || near();
  if (before !== '') return { text: before, isOfUrl: false };
  if (described !== '') return { text: described, isOfUrl: true };
  const heading = place.kind === 'preview' ? '' : headingOf(image, page, texts);
  return { text: heading || (texts.ofPage[0] ?? ''), isOfUrl: false };
}

function ownWords(element: Element): string {
  for (const name of ['alt', 'aria-label', 'title']) {
    const words = telling(attribute(element, name));
    if (words !== '') return words;
  }
  return '';
}

const childOf = (tagName: string) =>
  onceFor((parent) => parent.childNodes.find((each): each is Element => each.nodeName === tagName));
const imageIn = childOf('img');
const captionIn = childOf('figcaption');

/** The image of a picture to which a source belongs. */
export function imageOf(source: Element): Element | undefined {
  const picture = parentOf(source);
  return picture && imageIn(picture);
}

function captionOf(element: Element, page: Page): string {
  const figure = around(element, 5).find(({ tagName }) => tagName === 'figure');
  const caption = figure && captionIn(figure);
  return caption ? telling(textOf(page, caption)) : '';
}

/** What links say that lead on, whatever they lead to. */
const callToAction =
  /^(?:read|learn|shop|view|see|buy|add|get|find|click|order|book|sign|log|download|subscribe|contact|discover|explore)\b.{0,24}$/i;
const lineCharactersMax = 120;

/** The first line that says something of the link or the list item around an image. */
function textAround(element: Element, page: Page, { firstLines }: PageTexts): string {
  const frame = around(element, 6).find((each) => /^(?:a|button|li)$/.test(each.tagName));
  if (!frame) return '';
  const known = firstLines.get(frame);
  if (known !== undefined) return known;
  const lines = linesIn(page, frame).filter(
    (line) => line.length <= lineCharactersMax && !callToAction.test(line),
  );
  const words = lines.map(telling).find(Boolean) ?? '';
  firstLines.set(frame, words);
  return words;
}

/** The nearest heading that says something: the last one before the image in the innermost part that has one, else the next. */
function headingOf(element: Element, page: Page, { headings, headingOrders }: PageTexts): string {
  const at = page.standing.get(element)?.order ?? 0;
  const heading = (index: number) => headings[index] ?? '';
  const before = firstFrom(headingOrders, at) - 1;
  for (const frame of around(element, 9)) {
    const { order = 0, last = 0 } = page.standing.get(frame) ?? {};
    const isWithin = (index: number) => {
      const each = headingOrders[index];
      return each !== undefined && each >= order && each <= last;
    };
    const words =
      (isWithin(before) && heading(before)) || (isWithin(before + 1) && heading(before + 1)) || '';
    if (words !== '') return words;
  }
  return heading(before) || heading(before + 1);
}

/** BCP 47 tag of the nearest element that names one. */
export function languageOf(element: Element): string | undefined {
  for (const each of around(element)) {
    const lang = attribute(each, 'lang') ?? attribute(each, 'xml:lang');
    if (lang && /^[a-z]{2,3}(?:-[\da-z]{2,8})*$/i.test(lang)) return lang;
  }
  return undefined;
}

/** The last class, id or tag that a selector names. */
function lastName(selector: string): string {
  return (
    selector
      .replace(/:[\w-]+(?:\([^)]*\))?/g, '')
      .match(/[.#]?[\w-]+/g)
      ?.at(-1) ?? ''
  );
}

const nameWord = "\\p{Lu}[\\p{L}'’-]+";
const fullName = `${nameWord}(?:\\s(?:\\p{Lu}\\.|d[aeo]s?|del|van|von|al|bin))*(?:\\s${nameWord}){1,2}`;
const nameInWords = new RegExp(
  `(?:^|\\s)(${fullName})(?:$|[,.:;|–—(]|\\s(?:-|from|at|of|de|da)\\s|'s|’s)`,
  'u',
);
const nameAlone = new RegExp(`^(${fullName})(?:$|\\s?[,|–—(-])`, 'u');
const easternName = /^([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]{2,8})(?:さん|様|氏)?$/u;
const portraitOf = /^(?:photo|portrait|picture|headshot|avatar|foto|retrato)\s+(?:of|de|da|do)\s+/i;
const isPortraitOf = /^(?:portrait|headshot|avatar|retrato)\s+(?:of|de|da|do)\s+/i;
/** Whole words of a class or an id. */
const people =
  /^(?:avatars?|authors?|teams?|testimonials?|members?|profiles?|speakers?|founders?|staff|headshots?|reviewers?|reviews?|comments?|commenters?|users?|bio)$/;

/** The words of which names of classes are put together: `teamMember`, `team-member`, `team__member`. */
const wordsOfName = (name: string) =>
  name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u);

/** Whether a text holds one of the words for people as a whole word. */
export const namesPeople = (text: string): boolean => wordsOfName(text).some((word) => people.test(word));
const isNamedForPeople = onceFor((element) => namesPeople(namesOf(element)));
const logoName = /(?:^|[\s_-])logos?(?:$|[\s_-])/i;
const isNamedLogo = onceFor((element) => logoName.test(namesOf(element)));

/** A person's name in words. */
export function nameIn(words: string): string | undefined {
  const eastern = easternName.exec(words.replace(/\s/g, ''));
  return nameInWords.exec(words.replace(portraitOf, ''))?.[1] ?? eastern?.[1];
}

/**
 * The name of the person whose portrait an image is: in its words, else beside it.
 * @param isFace whether it is shown as faces are, or showed one
 */
function personIn(element: Element, words: string, page: Page, isFace: boolean): string | undefined {
  const isPortrait = isFace || isPortraitOf.test(words) || around(element, 4).some(isNamedForPeople);
  if (!isPortrait) return undefined;
  const name = nameIn(words);
  if (name !== undefined) return name;
  // Words that show something else than a person are for a photo.
  const isSelf = isFace || isNamedForPeople(element) || namesPeople(words);
  return words === '' || isSelf ? nameBeside(element, page) : undefined;
}

/** The first name in the innermost block around an image that has a text, as long as no other image stands there. */
function nameBeside(element: Element, page: Page): string | undefined {
  for (const block of around(element, 5).slice(1)) {
    if (/^(?:body|html|main)$/.test(block.tagName)) return undefined;
    const lines = linesIn(page, block).slice(0, 12);
    for (const line of lines) {
      const name = nameAlone.exec(line)?.[1] ?? easternName.exec(line.replace(/\s/g, ''))?.[1];
      if (name !== undefined && !hasGenericWord(name)) return name;
    }
    if (lines.length > 2) return undefined;
  }
  return undefined;
}

/** Whether an image is called a logo, by its own names and text and those of the element around it. */
const isLogo = (element: Element): boolean =>
  around(element, 2).some(isNamedLogo) || logoName.test(attribute(element, 'alt') ?? '');
