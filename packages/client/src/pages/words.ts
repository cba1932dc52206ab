/** The words of an image: what the page says it should show, and whose portrait it is. */

import { firstFrom } from './edits';
import type { Image } from './fill';
import type { HtmlPlace } from './html-places';
import { askedWords, hasGenericWord, meaningfulText } from './meaningful-text';
import {
  around,
  childOf,
  type Element,
  imageOf,
  linesIn,
  namesOf,
  onceFor,
  type Page,
  said,
  startOf,
  textOf,
} from './page';

const isHeading = (element: Element): boolean =>
  /^h[1-6]$/.test(element.tagName) ||
  said(element, 'role') === 'heading' ||
  /(?:^|\s)(?:h[1-6]|card-title)(?:\s|$)/.test(said(element, 'class'));

const captionIn = childOf('figcaption');
const lineCharactersMax = 120;
const firstLine = onceFor((frame) => {
  const lines = linesIn(frame).filter((line) => line.length <= lineCharactersMax);
  return lines.map((line) => meaningfulText(line)).find(Boolean) ?? '';
});

/** The caption of an image, else the first telling line of the link or list item around it. */
function textBeside(element: Element): string {
  const frames = around(element, 6);
  const figure = frames.find(({ tagName }) => tagName === 'figure');
  const caption = figure && captionIn(figure);
  const frame = frames.find(({ tagName }) => /^(?:a|button|li)$/.test(tagName));
  return (caption && meaningfulText(textOf(caption))) || (frame ? firstLine(frame) : '');
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
/** Words of a class or an id by which an image shows a person. */
const ofPerson =
  /^(?:avatars?|authors?|testimonials?|profiles?|speakers?|founders?|headshots?|reviewers?|reviews?|comments?|commenters?|bio|teams?|members?|staff|users?)$/;

/** Whether a text holds one of the words for people, also within a compound such as `teamMember`. */
export const namesPeople = (text: string): boolean =>
  text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .some((word) => ofPerson.test(word));
const isOfPerson = onceFor((element) => namesPeople(namesOf(element)));

const logoName = /(?:^|[\s_-])logos?(?:$|[\s_-])/i;
/** Whether an image is called a logo: by its text, or by its class or id or those of its parent. */
const isLogo = (element: Element): boolean =>
  logoName.test(said(element, 'alt')) || around(element, 2).some((each) => logoName.test(namesOf(each)));

/** Whether an image is shown as a circle, as portraits are. */
export const isRound = (element: Element): boolean =>
  /(?:^|[\s_-])(?:rounded-full|avatar|rounded-circle|headshot)(?:$|[\s_-])/i.test(said(element, 'class')) ||
  /border-radius\s*:\s*50%/.test(said(element, 'style'));

/** A person's name in words. */
export const nameIn = (words: string, pattern = nameInWords): string | undefined =>
  pattern.exec(words.replace(portraitOf, '').replace(photoOf, ''))?.[1] ??
  easternName.exec(words.replace(/\s/g, ''))?.[1];

/** Whether a position of the source lies in an element. */
const holds = ({ sourceCodeLocation: at }: Element, offset = -1): boolean =>
  at != null && offset >= at.startOffset && offset < at.endOffset;

/**
 * Reads what a page says about its parts, once for all of its images.
 * @returns the words of an image, their language, and the name whose initials stand for it: a person's, since
 * no stranger may, or a company's, since no photo is its logo
 */
export function createWords({ elements }: Page) {
  /** The first element by class (`.name`), id (`#name`) and tag. */
  const selected = new Map<string, Element>();
  for (const element of elements) {
    const classes = said(element, 'class').split(/\s+/);
    for (const name of [element.tagName, `#${said(element, 'id')}`, ...classes.map((each) => `.${each}`)])
      if (!selected.has(name)) selected.set(name, element);
  }
  const title = selected.get('title');
  const preview = elements.find((each) => said(each, 'property') === 'og:image:alt');
  const ofPage =
    (preview && meaningfulText(said(preview, 'content'))) || (title ? meaningfulText(textOf(title)) : '');
  const headings = elements
    .filter(isHeading)
    .map((each) => ({ start: startOf(each), words: meaningfulText(textOf(each)) }));
  const headingStarts = headings.map(({ start }) => start);
  const imageStarts = elements.filter(({ tagName }) => tagName === 'img').map(startOf);

  /** The nearest telling heading: the last before the image in the innermost part with one, else the next. */
  const headingOf = (element: Element): string => {
    const next = firstFrom(headingStarts, startOf(element));
    const nearest = [headings[next - 1], headings[next]];
    const within = (frame: Element) => nearest.filter((heading) => holds(frame, heading?.start));
    return [...around(element, 9).map(within), nearest].flat().find((each) => each?.words)?.words ?? '';
  };

  /** The first name in the innermost block around an image, as long as no other image stands in it. */
  const nameBeside = (element: Element): string | undefined => {
    for (const block of around(element, 5).slice(1)) {
      const others = firstFrom(imageStarts, startOf(block));
      if (holds(block, imageStarts[others + 1]) || /^(?:body|html|main)$/.test(block.tagName))
        return undefined;
      const names = linesIn(block).map((line) => nameIn(line, nameFirst));
      const name = names.find((each) => each !== undefined && !hasGenericWord(each));
      if (name !== undefined) return name;
    }
    return undefined;
  };

  return ({ kind, selector = '', element: own, old }: HtmlPlace): Pick<Image, 'words' | 'name' | 'lang'> => {
    const languages = around(own).map((each) => said(each, 'lang') || said(each, 'xml:lang'));
    const lang = languages.find((each) => /^[a-z]{2,3}(?:-[\da-z]{2,8})*$/i.test(each));
    // The last class, id or tag that a selector names.
    const names = selector.replace(/:[\w-]+(?:\([^)]*\))?/g, '').match(/[.#]?[\w-]+/g) ?? [];
    const element = selected.get(names.at(-1) ?? '') ?? own;
    const image = kind === 'source' ? (imageOf(element) ?? element) : element;
    const asked = askedWords(own) || askedWords(image);
    if (asked !== '') return { words: asked, lang };
    const text =
      ['alt', 'aria-label', 'title'].map((each) => meaningfulText(said(image, each))).find(Boolean) ?? '';
    const described = meaningfulText(old?.words);
    if (kind === 'preview') return { words: text || described || ofPage, lang };
    const words = text || described;
    const isPerson =
      isRound(own) || old?.service?.isFace || portraitOf.test(words) || around(image, 4).some(isOfPerson);
    const person = isPerson ? (nameIn(words) ?? nameBeside(image)) : undefined;
    if (person !== undefined) return { words: text || person, name: person, lang };
    if (isLogo(image)) return { words: text || 'logo', name: text, lang };
    const near = text || textBeside(image);
    if (near !== '') return { words: near, lang };
    // A URL says its words in whatever language.
    if (described !== '') return { words: described };
    return { words: headingOf(image) || ofPage, lang };
  };
}
