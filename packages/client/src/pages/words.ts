/** Finds the words of an image: what the page says it should show, and whose portrait it is. */

import { firstFrom } from './edits';
import type { Image } from './find-images';
import type { HtmlPlace } from './html-places';
import { askedWords, hasGenericWord, meaningfulText } from './meaningful-text';
import type { Element, HtmlPage } from './page';
import { attr, childOf, imageOf, linesIn, memoize, namesOf, pathUp, startOf, textOf } from './page';

const isHeading = (element: Element): boolean =>
  /^h[1-6]$/.test(element.tagName) ||
  attr(element, 'role') === 'heading' ||
  /(?:^|\s)(?:h[1-6]|card-title)(?:\s|$)/.test(attr(element, 'class'));

const headingWords = memoize((heading) => meaningfulText(textOf(heading)));
const captionIn = childOf('figcaption');
const firstLine = memoize((frame) => {
  const lines = linesIn(frame).filter((line) => line.length <= 120);
  return lines.map((line) => meaningfulText(line)).find(Boolean) ?? '';
});

/** Reads the caption of an image, else the first telling line of the link or list item around it. */
function textBeside(element: Element): string {
  const frames = pathUp(element, 6);
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
export function namesPeople(text: string): boolean {
  const words = text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').split(/[^\p{L}]+/u);
  return words.some((word) => ofPerson.test(word.toLowerCase()));
}
const isOfPerson = memoize((element) => namesPeople(namesOf(element)));

const logoName = /(?:^|[\s_-])logos?(?:$|[\s_-])/i;
/** Whether an image is called a logo: by its text, or by its class or id or those of its parent. */
const isLogo = (element: Element): boolean =>
  logoName.test(attr(element, 'alt')) || pathUp(element, 2).some((node) => logoName.test(namesOf(node)));

const roundName = /(?:^|[\s_-])(?:rounded-full|avatar|rounded-circle|headshot)(?:$|[\s_-])/i;
/** Whether an image is shown as a circle, as portraits are. */
export const isRound = (element: Element): boolean =>
  roundName.test(attr(element, 'class')) || /border-radius\s*:\s*50%/.test(attr(element, 'style'));

/** Finds the name of a person in words. */
export const nameIn = (words: string, pattern = nameInWords): string | undefined =>
  pattern.exec(words.replace(portraitOf, '').replace(photoOf, ''))?.[1] ??
  easternName.exec(words.replace(/\s/g, ''))?.[1];

const holds = (frame: Element, element: Element): boolean =>
  startOf(element) >= startOf(frame) && startOf(element) < (frame.sourceCodeLocation?.endOffset ?? 0);

interface PageTexts {
  readonly selected: ReadonlyMap<string, Element>;
  readonly pageWords: string;
  readonly headings: readonly Element[];
  readonly images: readonly Element[];
}

/** Reads the texts of a page that all of its images share. */
export function readTexts({ elements }: HtmlPage): PageTexts {
  // The first element by class (`.name`), id (`#name`) and tag.
  const selected = new Map<string, Element>();
  for (const element of elements) {
    const classes = attr(element, 'class').split(/\s+/);
    const names = [element.tagName, `#${attr(element, 'id')}`, ...classes.map((name) => `.${name}`)];
    for (const name of names) if (!selected.has(name)) selected.set(name, element);
  }
  const title = selected.get('title');
  const preview = elements.find((element) => attr(element, 'property') === 'og:image:alt');
  const pageWords =
    meaningfulText(preview && attr(preview, 'content')) || meaningfulText(title && textOf(title));
  const images = elements.filter(({ tagName }) => tagName === 'img');
  return { selected, pageWords, headings: elements.filter(isHeading), images };
}

/** Finds the words of an image, their language, and the person or company whose initials stand for it. */
export function findImageWords(texts: PageTexts, place: HtmlPlace): Pick<Image, 'words' | 'name' | 'lang'> {
  const { kind, selector = '', element, judged } = place;
  const languages = pathUp(element).map((node) => attr(node, 'lang') || attr(node, 'xml:lang'));
  const lang = languages.find((language) => /^[a-z]{2,3}(?:-[\da-z]{2,8})*$/i.test(language));
  // The last class, id or tag that a selector names.
  const names = selector.replace(/:[\w-]+(?:\([^)]*\))?/g, '').match(/[.#]?[\w-]+/g) ?? [];
  const shownOn = texts.selected.get(names.at(-1) ?? '') ?? element;
  const image = kind === 'source' ? (imageOf(shownOn) ?? shownOn) : shownOn;
  const requested = askedWords(element) || askedWords(image);
  if (requested !== '') return { words: requested, lang };
  const attributes = ['alt', 'aria-label', 'title'].map((name) => meaningfulText(attr(image, name)));
  const text = attributes.find(Boolean) ?? '';
  const urlWords = meaningfulText(judged?.words);
  const words = text || urlWords;
  if (kind === 'preview') return { words: words || texts.pageWords, lang };
  const isPerson =
    isRound(element) ||
    judged?.service?.isFace ||
    portraitOf.test(words) ||
    pathUp(image, 4).some(isOfPerson);
  const person = isPerson ? (nameIn(words) ?? nameBeside(texts, image)) : undefined;
  // A stranger must not stand for a person, and no photo is the logo of a company.
  if (person !== undefined) return { words: text || person, name: person, lang };
  if (isLogo(image)) return { words: text || 'logo', name: text, lang };
  const nearText = text || textBeside(image);
  if (nearText !== '') return { words: nearText, lang };
  // The language of words in a URL is not known.
  if (urlWords !== '') return { words: urlWords };
  return { words: nearestHeading(texts, image) || texts.pageWords, lang };
}

/** Finds the nearest heading: the last before the image in the innermost part with one, else the next. */
function nearestHeading({ headings }: PageTexts, element: Element): string {
  const next = firstFrom(headings, startOf(element), startOf);
  const nearest = headings.slice(Math.max(0, next - 1), next + 1);
  const within = (frame: Element) => nearest.filter((heading) => holds(frame, heading));
  const byDistance = [...pathUp(element, 9).map(within), nearest].flat();
  return byDistance.map(headingWords).find(Boolean) ?? '';
}

/** Finds the first name in the innermost block around an image, as long as no other image stands in it. */
function nameBeside({ images }: PageTexts, element: Element): string | undefined {
  for (const block of pathUp(element, 5).slice(1)) {
    const nextImage = images[firstFrom(images, startOf(block), startOf) + 1];
    if ((nextImage && holds(block, nextImage)) || /^(?:body|html|main)$/.test(block.tagName))
      return undefined;
    const names = linesIn(block).flatMap((line) => nameIn(line, nameFirst) ?? []);
    const name = names.find((candidate) => !hasGenericWord(candidate));
    if (name !== undefined) return name;
  }
  return undefined;
}
