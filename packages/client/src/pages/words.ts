/** The words of an image: what the page says it should show, and whose portrait it is. */

import { firstFrom } from './edits';
import type { Image } from './find-images';
import type { HtmlPlace } from './html-places';
import { askedWords, hasGenericWord, meaningfulText } from './meaningful-text';
import {
  around,
  attr,
  childOf,
  type Element,
  imageOf,
  linesIn,
  namesOf,
  onceFor,
  type Page,
  startOf,
  textOf,
} from './page';

const isHeading = (element: Element): boolean =>
  /^h[1-6]$/.test(element.tagName) ||
  attr(element, 'role') === 'heading' ||
  /(?:^|\s)(?:h[1-6]|card-title)(?:\s|$)/.test(attr(element, 'class'));

const headingWords = onceFor((heading) => meaningfulText(textOf(heading)));
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
export function namesPeople(text: string): boolean {
  const words = text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').split(/[^\p{L}]+/u);
  return words.some((word) => ofPerson.test(word.toLowerCase()));
}
const isOfPerson = onceFor((element) => namesPeople(namesOf(element)));

const logoName = /(?:^|[\s_-])logos?(?:$|[\s_-])/i;
/** Whether an image is called a logo: by its text, or by its class or id or those of its parent. */
const isLogo = (element: Element): boolean =>
  logoName.test(attr(element, 'alt')) || around(element, 2).some((node) => logoName.test(namesOf(node)));

const roundName = /(?:^|[\s_-])(?:rounded-full|avatar|rounded-circle|headshot)(?:$|[\s_-])/i;
/** Whether an image is shown as a circle, as portraits are. */
export const isRound = (element: Element): boolean =>
  roundName.test(attr(element, 'class')) || /border-radius\s*:\s*50%/.test(attr(element, 'style'));

/** A person's name in words. */
export const nameIn = (words: string, pattern = nameInWords): string | undefined =>
  pattern.exec(words.replace(portraitOf, '').replace(photoOf, ''))?.[1] ??
  easternName.exec(words.replace(/\s/g, ''))?.[1];

/** Whether an element begins within another one in the source. */
const holds = (frame: Element, element: Element): boolean =>
  startOf(element) >= startOf(frame) && startOf(element) < (frame.sourceCodeLocation?.endOffset ?? 0);

/** What a page says about its images, read once for all of them. */
export class PageWords {
  /** The first element by class (`.name`), id (`#name`) and tag. */
  private readonly selected = new Map<string, Element>();
  private readonly ofPage: string;
  private readonly headings: readonly Element[];
  private readonly images: readonly Element[];

  constructor({ elements }: Page) {
    for (const element of elements) {
      const classes = attr(element, 'class').split(/\s+/);
      const names = [element.tagName, `#${attr(element, 'id')}`, ...classes.map((name) => `.${name}`)];
      for (const name of names) if (!this.selected.has(name)) this.selected.set(name, element);
    }
    const title = this.selected.get('title');
    const preview = elements.find((element) => attr(element, 'property') === 'og:image:alt');
    this.ofPage =
      meaningfulText(preview && attr(preview, 'content')) || meaningfulText(title && textOf(title));
    this.headings = elements.filter(isHeading);
    this.images = elements.filter(({ tagName }) => tagName === 'img');
  }

  /**
   * The words of an image, their language, and the name whose initials stand for it: a person's, since no
   * stranger may, or a company's, since no photo is its logo.
   */
  wordsOf({ kind, selector = '', element: own, old }: HtmlPlace): Pick<Image, 'words' | 'name' | 'lang'> {
    const languages = around(own).map((node) => attr(node, 'lang') || attr(node, 'xml:lang'));
    const lang = languages.find((language) => /^[a-z]{2,3}(?:-[\da-z]{2,8})*$/i.test(language));
    // The last class, id or tag that a selector names.
    const names = selector.replace(/:[\w-]+(?:\([^)]*\))?/g, '').match(/[.#]?[\w-]+/g) ?? [];
    const element = this.selected.get(names.at(-1) ?? '') ?? own;
    const image = kind === 'source' ? (imageOf(element) ?? element) : element;
    const requested = askedWords(own) || askedWords(image);
    if (requested !== '') return { words: requested, lang };
    const texts = ['alt', 'aria-label', 'title'].map((name) => meaningfulText(attr(image, name)));
    const text = texts.find(Boolean) ?? '';
    const urlWords = meaningfulText(old?.words);
    const words = text || urlWords;
    if (kind === 'preview') return { words: words || this.ofPage, lang };
    const isPerson =
      isRound(own) || old?.service?.isFace || portraitOf.test(words) || around(image, 4).some(isOfPerson);
    const person = isPerson ? (nameIn(words) ?? this.nameBeside(image)) : undefined;
    if (person !== undefined) return { words: text || person, name: person, lang };
    if (isLogo(image)) return { words: text || 'logo', name: text, lang };
    const nearText = text || textBeside(image);
    if (nearText !== '') return { words: nearText, lang };
    // A URL says its words in whatever language.
    if (urlWords !== '') return { words: urlWords };
    return { words: this.headingOf(image) || this.ofPage, lang };
  }

  /** The nearest telling heading: the last before the image in the innermost part with one, else the next. */
  private headingOf(element: Element): string {
    const next = firstFrom(this.headings, startOf(element), startOf);
    const nearest = this.headings.slice(Math.max(0, next - 1), next + 1);
    const within = (frame: Element) => nearest.filter((heading) => holds(frame, heading));
    const headings = [...around(element, 9).map(within), nearest].flat();
    return headings.map(headingWords).find(Boolean) ?? '';
  }

  /** The first name in the innermost block around an image, as long as no other image stands in it. */
  private nameBeside(element: Element): string | undefined {
    for (const block of around(element, 5).slice(1)) {
      const first = firstFrom(this.images, startOf(block), startOf);
      const other = this.images[first + 1];
      if ((other && holds(block, other)) || /^(?:body|html|main)$/.test(block.tagName)) return undefined;
      const names = linesIn(block).flatMap((line) => nameIn(line, nameFirst) ?? []);
      const name = names.find((candidate) => !hasGenericWord(candidate));
      if (name !== undefined) return name;
    }
    return undefined;
  }
}
