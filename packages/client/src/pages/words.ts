/** The words of an image: what the page says it should show. */

import {
  around,
  attribute,
  type Element,
  namesAround,
  type PageDocument,
  readDocument,
  startOf,
  textOf,
} from './document';
import { type ImagePlace, imagePlaces } from './image-places';
import { contradictions, isTelling, type Replaceable } from './replaceable-url';

/** Attributes in which page generators write what an image should show; ours first. */
const wordAttributes = [
  'data-image-query',
  'data-query',
  'data-unsplash-query',
  'data-ai-hint',
  'data-image-prompt',
];

const charactersMax = 200;

/** The words of an image. */
export interface Words {
  /** Empty where the page says nothing. */
  readonly text: string;
  /** Where they are from: what is written into the page stays when the URL is replaced, what is not is added. */
  readonly from: 'attribute' | 'alt' | 'elsewhere';
}

/** What an element says of its own. */
export function ownWords(element: Element): Words | undefined {
  const marked = wordAttributes.map((name) => attribute(element, name)).find((text) => text?.trim());
  if (marked) return { text: cleaned(marked), from: 'attribute' };
  const alt = attribute(element, 'alt');
  return alt && isTelling(alt) ? { text: cleaned(alt), from: 'alt' } : undefined;
}

/** What a page says about its parts, looked up for each of them. */
interface PageTexts {
  /** The page's own title. */
  readonly title: string;
  readonly headings: readonly Element[];
  readonly captions: readonly Element[];
  /** The first element by class (`.name`), id (`#name`) and tag. */
  readonly selected: ReadonlyMap<string, Element>;
}

/** A page with the places of its images and the texts about them. */
export interface Page extends PageDocument {
  readonly places: readonly ImagePlace[];
  readonly texts: PageTexts;
  /** The ids of stock photos that stand for something else than the page says. */
  readonly contradicted: ReadonlySet<string>;
}

/** @returns `undefined` for a page that is nested too deeply */
export function readPage(html: string): Page | undefined {
  const document = readDocument(html);
  if (!document) return undefined;
  const [places, texts] = [imagePlaces(document), readTexts(document)];
  const uses = places.map((place) => [place.url, wordsOf(place, undefined, texts).text] as const);
  return { ...document, places, texts, contradicted: contradictions(uses) };
}

function readTexts({ elements }: PageDocument): PageTexts {
  const selected = new Map<string, Element>();
  for (const element of elements.toReversed()) {
    selected.set(element.tagName, element);
    selected.set(`#${attribute(element, 'id') ?? ''}`, element);
    for (const name of attribute(element, 'class')?.split(/\s+/) ?? []) selected.set(`.${name}`, element);
  }
  const title = elements.find(({ tagName }) => tagName === 'title');
  return {
    title: title ? textOf(title).slice(0, charactersMax) : '',
    headings: elements.filter(({ tagName }) => /^h[1-6]$/.test(tagName)),
    captions: elements.filter(({ tagName }) => tagName === 'figcaption'),
    selected,
  };
}

/** @param described what the URL says */
export function wordsOf(place: ImagePlace, described: Replaceable | undefined, page: PageTexts): Words {
  const own = ownWords(place.element);
  if (own?.from === 'attribute') return own;
  const inUrl = described?.words && isTelling(described.words) ? described.words : undefined;
  const language = languageOf(place.element);
  // The words in a URL are English, whatever the page is.
  const isFirst = !described?.isFileName && (!language || /^en\b/i.test(language));
  if (inUrl && isFirst) return { text: cleaned(inUrl), from: 'elsewhere' };
  if (own) return own;
  const element = (place.selector && page.selected.get(lastName(place.selector))) || place.element;
  const texts = [
    inUrl,
    attribute(element, 'aria-label'),
    attribute(element, 'title'),
    within(
      page.captions,
      around(element, 4).filter(({ tagName }) => tagName === 'figure'),
    ),
    place.kind === 'meta' ? undefined : headingOf(element, page.headings),
    page.title,
  ];
  return { text: cleaned(texts.find((text) => text && isTelling(text)) ?? ''), from: 'elsewhere' };
}

/** BCP 47 tag of the nearest element that names one. */
export function languageOf(element: Element): string | undefined {
  for (const each of around(element)) {
    const lang = attribute(each, 'lang');
    if (lang && /^[a-z]{2,3}(?:-[\da-z]{2,8})*$/i.test(lang)) return lang;
  }
  return undefined;
}

function cleaned(text: string): string {
  const plain = text
    .normalize('NFKC')
    .toWellFormed()
    .replace(/\p{Cc}|\ufffd/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...plain];
  if (characters.length <= charactersMax) return plain;
  return characters
    .slice(0, charactersMax)
    .join('')
    .replace(/\s\S*$/, '');
}

/** The first heading of the innermost part of the page that has one; on a flat page the last one before, else the next. */
function headingOf(element: Element, headings: readonly Element[]): string | undefined {
  const parts = around(element, 8).filter(({ tagName }) => !/^(?:html|body)$/.test(tagName));
  const index = firstFrom(headings, startOf(element));
  const flat = headings[index - 1] ?? headings[index];
  return within(headings, parts) ?? (flat && textOf(flat));
}

/** The text of the first element of a sorted list that stands in the innermost of some others. */
function within(sorted: readonly Element[], frames: readonly Element[]): string | undefined {
  for (const frame of frames) {
    const first = sorted[firstFrom(sorted, startOf(frame))];
    const text = first && startOf(first) < endOf(frame) && textOf(first);
    if (text) return text;
  }
  return undefined;
}

/** Where an element ends in the source; an element that is never closed does not. */
function endOf({ sourceCodeLocation, childNodes }: Element): number {
  const { startTag, endOffset = 0 } = sourceCodeLocation ?? {};
  return endOffset === startTag?.endOffset && childNodes.length > 0 ? Infinity : endOffset;
}

/** Index of the first element of a sorted list that begins at an offset or behind it. */
function firstFrom(sorted: readonly Element[], offset: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (startOf(sorted[middle] as Element) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
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
const personal = new RegExp(
  `(?:^|\\s)(${nameWord}(?:\\s(?:\\p{Lu}\\.|d[aeo]s?|del|van|von|al|bin))*(?:\\s${nameWord}){1,2})(?:$|[,.:;|–—(]|\\s(?:-|from|at|of|de|da)\\s|'s|’s)`,
  'u',
);
const people = /avatar|testimonial|team|member|author|profile|speaker|founder|staff|headshot|reviewer/i;

/** The name of the person whose portrait a place asks for, where it does. */
export function personIn(place: ImagePlace, words: string, isRound: boolean): string | undefined {
  const isPortrait =
    isRound ||
    /^(?:[Pp]ortrait|[Hh]eadshot|[Aa]vatar|[Rr]etrato)\s+(?:of|de|da|do)\s+\p{Lu}/u.test(words) ||
    namesAround(place.element, 4).some((text) => people.test(text));
  if (!isPortrait) return undefined;
  const eastern = /^([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]{2,8})(?:さん|様|氏)?$/u.exec(
    words.replace(/\s/g, ''),
  );
  const stripped = words.replace(
    /^(?:photo|portrait|picture|headshot|avatar|foto|retrato)\s+(?:of|de|da|do)\s+/i,
    '',
  );
  return personal.exec(stripped)?.[1] ?? eastern?.[1];
}

/** Whether a place asks for the logo of a company, by what it and the element around it are called. */
export function isLogo({ element }: ImagePlace): boolean {
  const names = [...namesAround(element, 2), attribute(element, 'alt') ?? ''];
  return names.some((text) => /(?:^|[\s_-])logos?(?:$|[\s_-])/i.test(text));
}
