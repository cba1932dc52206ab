/** Fills the image places of an HTML page: those without an image, with a placeholder or with an invented photo. */

import { MagicString } from 'magic-string';
import { type BatchImage, fetchBatch, isProblem } from '../fetch-records';
import { escapeHtml as escaped } from '../image-props';
import { nearestSize } from '../image-size';
import {
  batchExcludedMax,
  batchImagesMax,
  type Choices,
  type FilledImage,
  type ImageRecord,
  type Problem,
} from '../service';
import { attribute, descendants, type Element, parentOf, startOf, textOf } from './document';
import { drawnImage } from './drawn-image';
import type { ImagePlace } from './image-places';
import { type LaidOut, layoutSize } from './layout-size';
import { type Replaceable, replaceableUrl, sizeIn, stockId } from './replaceable-url';
import { isLogo, languageOf, ownWords, type Page, personIn, readPage, type Words, wordsOf } from './words';

/** One call for the images of a page; answers as `fetchBatch` does. */
export type FindImages = (batch: {
  readonly exclude: readonly string[];
  readonly images: readonly BatchImage[];
}) => Promise<Readonly<Record<string, ImageRecord | Problem>>>;

/** Which images of a page are filled, and with what. */
export interface FillOptions {
  /** Replaces every stock photo whose id a model may have invented, not only those that cannot be real. */
  readonly replaceStock?: boolean;
  /** Sent with every image. */
  readonly style?: Choices['style'];
  readonly onmiss?: Choices['onmiss'];
  /** BCP 47; the page's own by default. */
  readonly lang?: string;
  /** Most images that are filled, the first of the page; by default all. */
  readonly imagesMax?: number;
  /** Whether a URL shows an image; without it no URL is loaded. */
  readonly loads?: (url: string) => Promise<boolean>;
  /** Whether a relative URL names a file; without it all of them count as there. */
  readonly isFile?: (path: string) => boolean;
}

/** A page with its images, and what became of each. */
export interface FilledPage {
  readonly html: string;
  /** Record or problem of each slot. */
  readonly images: Readonly<Record<string, ImageRecord | Problem>>;
  /** Images that the same call would fill when it is made again. */
  readonly left: number;
  readonly report: readonly FilledImage[];
}

/** An image place that is to be filled. */
interface Slot {
  readonly name: string;
  readonly place: ImagePlace;
  /** Other places that show the same image: the sources of a `<picture>`, the second preview of the page. */
  readonly also: ImagePlace[];
  readonly reason: FilledImage['reason'];
  readonly words: Words;
  readonly size: LaidOut;
  /** Drawn without a request: a person, a logo, or nothing to search for. */
  readonly drawn: { readonly name?: string; readonly note: string } | undefined;
}

const filledAttribute = 'data-image-filled';
/** Holds the credits that the image of an element needs. */
export const creditAttribute = 'data-image-credit';
const creditSeparator = ' | ';
const nameCharactersMax = 64;

/**
 * Images fit the words that the page has for them; every byte that belongs to no image stays as it was, and the page
 * filled again stays the same. Malformed HTML is what browsers make of it.
 * @param service how images are found: the service with an API key, or the call itself
 * @throws as `fetchBatch`; what a single image lacks stands in the report
 */
export async function fillHtml(
  html: string,
  service: { readonly base: string; readonly key: string } | FindImages,
  options: FillOptions = {},
): Promise<FilledPage> {
  const read = readPage(html);
  if (!read) return { html, images: {}, left: 0, report: [] };
  const find: FindImages =
    typeof service === 'function'
      ? service
      : (batch) => fetchBatch(service.base, batch, { key: service.key });
  const all = await findSlots(read, options);
  const searched = all.filter(({ drawn }) => !drawn).slice(0, options.imagesMax);
  const shown = new Set(picksShown(read.places, all));
  const images: Record<string, ImageRecord | Problem> = {};
  for (let from = 0; from < searched.length; from += batchImagesMax) {
    const batch = searched.slice(from, from + batchImagesMax).map((slot) => imageOf(slot, options));
    const found = await find({ exclude: [...shown].slice(-batchExcludedMax), images: batch });
    for (const answer of Object.values(found)) if (!isProblem(answer) && answer.pick) shown.add(answer.pick);
    Object.assign(images, found);
  }
  const edits = new PageEdits(html, read.elements);
  const report = all.map((slot, index) => edits.fill(slot, images[slot.name], index));
  const left = report.filter(({ outcome }) => outcome === 'left').length;
  return { html: edits.finish(), images, left, report };
}

/** The credits that the attribute names. */
export const creditsIn = (text = '') => text.split(creditSeparator).filter(Boolean);

/** The picks of the images that stay on a page, by their URLs. */
function picksShown(places: readonly ImagePlace[], filled: readonly Slot[]): readonly string[] {
  const replaced = new Set(filled.flatMap(({ place, also }) => [place, ...also]));
  return places
    .filter((place) => !replaced.has(place))
    .flatMap(({ url }) =>
      [...url.matchAll(/[?&]pick=([0-9a-f]{20})(?![^&#\s])/g)].map(([, pick = '']) => pick),
    );
}

const shortened = (text: string, charactersMax: number) => [...text].slice(0, charactersMax).join('').trim();

function imageOf(
  { name, place, words, size }: Slot,
  { style, onmiss, lang = languageOf(place.element) }: FillOptions,
): BatchImage {
  // Images have ratios from 1:40 to 40:1.
  const width = Math.max(size.width, Math.ceil(size.height / 40));
  const height = Math.max(size.height, Math.ceil(size.width / 40));
  // Small images are requested in a size that is sharp on dense screens.
  const wanted = nearestSize(Math.max(size.width, Math.min(2 * size.width, 256)), { width, height });
  return {
    slot: name,
    query: words.text,
    ...wanted,
    ...(style && { style }),
    ...(onmiss && { onmiss }),
    ...(lang && { lang }),
  };
}

async function findSlots(
  { places, texts, contradicted, elements }: Page,
  options: FillOptions,
): Promise<Slot[]> {
  const names = slotNames(elements);
  const slots: Slot[] = [];
  const previews = new Map<string, Slot>();
  const pictures = picturesOf(places);
  for (const place of places) {
    const picture = pictures.get(parentOf(place.element));
    // The sources of a picture show what its image shows.
    if (place.kind === 'source' && picture?.image) continue;
    const sources = picture?.image === place ? picture.sources : [];
    let judged: Replaceable | undefined;
    for (const each of [place, ...sources]) judged ??= await judge(each, contradicted, options);
    if (!judged) continue;
    const described = { ...sizeIn(place.url), ...judged };
    const words = wordsOf(place, described, texts);
    if (/\{\{|\{%|<%|\$\{/.test(words.text)) continue;
    const same = place.kind === 'meta' ? previews.get(words.text) : undefined;
    if (same) {
      same.also.push(place);
      continue;
    }
    const size = layoutSize(place, described);
    const drawn = drawnInstead(place, words, size);
    const name = names(words.text);
    const slot: Slot = { name, place, also: sources, reason: judged.reason, words, size, drawn };
    slots.push(slot);
    if (place.kind === 'meta') previews.set(words.text, slot);
  }
  return slots;
}

/** What each `<picture>` shows: its first image, and its sources. */
function picturesOf(places: readonly ImagePlace[]) {
  const pictures = new Map<Element | undefined, { image?: ImagePlace; readonly sources: ImagePlace[] }>();
  for (const place of places) {
    const parent = parentOf(place.element);
    if (parent?.tagName !== 'picture') continue;
    const picture = pictures.get(parent) ?? { sources: [] };
    if (place.kind === 'source') picture.sources.push(place);
    if (place.kind === 'img') picture.image ??= place;
    pictures.set(parent, picture);
  }
  return pictures;
}

function drawnInstead(place: ImagePlace, { text }: Words, { isRound }: LaidOut): Slot['drawn'] {
  if (text === '') return { note: 'The page has no words for it.' };
  const name = personIn(place, text, isRound);
  if (name) return { name, note: 'A portrait of a person: initials, so that no stranger has this name.' };
  if (!isLogo(place)) return undefined;
  return { name: text, note: 'A logo: its letter, so that no other company’s stands there.' };
}

/** What is wrong with the image of a place: `undefined` for nothing. */
async function judge(
  { url, element, kind }: ImagePlace,
  contradicted: ReadonlySet<string>,
  { replaceStock, loads, isFile }: FillOptions,
): Promise<Replaceable | undefined> {
  if (attribute(element, 'data-image-keep') !== undefined) return undefined;
  const judged = replaceableUrl(url);
  if (attribute(element, filledAttribute) !== undefined)
    return isChanged(element) ? { ...judged, reason: 'changed' } : undefined;
  if (ownWords(element)?.from === 'attribute' && element.tagName !== 'style')
    return { ...judged, reason: judged?.reason ?? 'marked' };
  // A video without a poster shows its first frame.
  if (judged) return kind === 'poster' && judged.reason === 'missing' ? undefined : judged;
  const id = stockId(url)?.id;
  if (id !== undefined) {
    if (contradicted.has(id)) return { reason: 'invented' };
    if (replaceStock) return { reason: 'stock' };
  }
  if (isFile && /^(?![a-z][a-z+.-]*:|\/\/|#)[^{}<$]*\.(?:avif|gif|jpe?g|png|svg|webp)(?:[?#]|$)/i.test(url))
    return isFile(url) ? undefined : { reason: 'no_file' };
  if (loads && /^https?:\/\//i.test(url)) return (await loads(url)) ? undefined : { reason: 'does_not_load' };
  return undefined;
}

/** Whether the words of an image have changed since it was filled. */
function isChanged(element: Element): boolean {
  const words = ownWords(element)?.text;
  return (
    words !== undefined && slotBase(words) !== attribute(element, filledAttribute)?.replace(/ #\d+$/, '')
  );
}

/** The first part of a slot's name: its words. */
const slotBase = (words: string) => shortened(words, nameCharactersMax - 8);

/** Names slots by their words, apart from those of images that the page has from before. */
function slotNames(elements: readonly Element[]): (words: string) => string {
  const kept = elements.filter((element) => !isChanged(element));
  const used = new Set(kept.map((element) => attribute(element, filledAttribute)));
  const last = new Map<string, number>();
  return (words) => {
    const base = slotBase(words) || 'image';
    for (let number = (last.get(base) ?? 0) + 1; ; number += 1) {
      const name = number === 1 ? base : `${base} #${number}`;
      if (used.has(name)) continue;
      last.set(base, number);
      return name;
    }
  };
}

/** Elements whose content is text up to their end tag. */
const rawText = /^(?:style|script|textarea|title|xmp|iframe|noembed|noframes|noscript|plaintext)$/;

/** Attributes to write; `undefined` removes one. */
type Attributes = Readonly<Record<string, string | undefined>>;

/** Changes the source of a page by position. */
class PageEdits {
  readonly #source: MagicString;
  /** Attributes as they will be, of elements that change. */
  readonly #written = new Map<Element, Attributes>();
  /** Credit lines as HTML by their text. */
  readonly #credits = new Map<string, string>();
  #needsHeight = false;
  #isChanged = false;

  constructor(
    readonly html: string,
    readonly elements: readonly Element[],
  ) {
    this.#source = new MagicString(html);
  }

  /** @param index of the slot among those of the page */
  fill(slot: Slot, answer: ImageRecord | Problem | undefined, index: number): FilledImage {
    const { name, place, words, size, reason } = slot;
    const about = {
      slot: name,
      line: place.element.sourceCodeLocation?.startLine ?? 1,
      reason,
      was: place.url.slice(0, 200),
      query: words.text,
      width: size.width,
      height: size.height,
    };
    const problem = answer && isProblem(answer) ? answer : undefined;
    const record = answer && !isProblem(answer) ? answer : undefined;
    const isNone = /^(?:no_image_found|content_refused)$/.test(problem?.code ?? '');
    if (!record && !slot.drawn && !isNone) {
      // The words stay with a slot that is filled later.
      if (place.kind !== 'background' && words.from !== 'attribute')
        this.#set(place.element, { 'data-image-query': words.text });
      return { ...about, outcome: 'left', ...(problem && { problem: problem.code, note: problem.detail }) };
    }
    const src = record ? (record.src ?? record.url) : drawnImage(size, this.#tone(), slot.drawn?.name);
    this.#show(slot, src, record, index);
    const loose = record?.fit === 'loose' ? 'No photo fits all the words.' : undefined;
    const note = slot.drawn?.note ?? problem?.detail ?? loose;
    return {
      ...about,
      outcome: record ? 'filled' : 'drawn',
      src,
      ...(problem && { problem: problem.code }),
      ...(note && { note }),
    };
  }

  /** Writes what was set; credits and the one rule of style, when an image has changed. @returns the page */
  finish(): string {
    for (const [element, values] of this.#written) this.#writeAttributes(element, values);
    if (this.#isChanged) this.#writeAround();
    return this.#source.toString();
  }

  #writeAround(): void {
    const end = (tag: string) =>
      this.elements.find(({ tagName }) => tagName === tag)?.sourceCodeLocation?.endTag?.startOffset;
    const after = end('body') ?? end('html') ?? this.#end();
    if (this.#needsHeight && !this.elements.some((each) => attribute(each, 'data-image-style') !== undefined))
      // The weakest rule there is: a height that the page's own style sets wins, one that it leaves open keeps the ratio.
      this.#source.appendLeft(
        end('head') ?? after,
        `<style data-image-style>:where(img[${filledAttribute}]){height:auto}</style>`,
      );
    this.#writeCredits(after);
  }

  /** The end of the page, or where a tag, a comment or a text that is no markup begins and never ends. */
  #end(): number {
    const raw = this.elements.find(
      ({ tagName, sourceCodeLocation }) => rawText.test(tagName) && !sourceCodeLocation?.endTag,
    );
    if (raw) return startOf(raw);
    // An element without an end tag ends where the page does.
    const ends = this.elements.map(
      ({ sourceCodeLocation: at }) => (at?.endTag ?? at?.startTag ?? at)?.endOffset ?? 0,
    );
    const from = ends.reduce((last, each) => Math.max(last, each), 0);
    const unfinished = this.html.slice(from).search(/<[a-z!]/i);
    return unfinished < 0 ? this.html.length : from + unfinished;
  }

  #writeCredits(after: number): void {
    const old = this.elements.find((each) => attribute(each, 'data-image-credits') !== undefined);
    const shown = new Map(old ? descendants(old).flatMap((each) => this.#creditIn(each)) : []);
    const texts = this.elements.flatMap((each) => {
      const written = this.#written.get(each);
      return creditsIn(
        written && creditAttribute in written ? written[creditAttribute] : attribute(each, creditAttribute),
      );
    });
    const lines = [...new Set(texts)].map(
      (text) => `<span>${this.#credits.get(text) ?? shown.get(text) ?? escaped(text)}</span>`,
    );
    const content = lines.length > 0 ? `<small>${lines.join(' · ')}</small>` : '';
    const { startTag, endTag } = old?.sourceCodeLocation ?? {};
    if (startTag && endTag) {
      if (this.html.slice(startTag.endOffset, endTag.startOffset) === content) return;
      if (startTag.endOffset === endTag.startOffset) this.#source.appendLeft(startTag.endOffset, content);
      else this.#source.update(startTag.endOffset, endTag.startOffset, content || ' ');
    } else if (content)
      this.#source.appendLeft(
        after,
        `<footer data-image-credits style="padding:1rem;text-align:center;opacity:.8">${content}</footer>`,
      );
  }

  #creditIn(element: Element): [string, string][] {
    const { startTag, endTag } = element.sourceCodeLocation ?? {};
    if (element.tagName !== 'span' || !startTag || !endTag) return [];
    return [[textOf(element), this.html.slice(startTag.endOffset, endTag.startOffset)]];
  }

  #tone(): string | undefined {
    const theme = this.elements.find(
      (each) => each.tagName === 'meta' && attribute(each, 'name') === 'theme-color',
    );
    return theme && attribute(theme, 'content');
  }

  #show(slot: Slot, src: string, record: ImageRecord | undefined, index: number): void {
    const { place, also, name, words } = slot;
    const { element, kind } = place;
    this.#isChanged = true;
    for (const each of [place, ...also]) {
      this.#writeUrl(each, src, record);
      if (each.kind === 'meta') this.#set(each.element, { [filledAttribute]: name });
    }
    if (kind === 'img') this.#writeImage(slot, record, index);
    // Several backgrounds of one element share its credits.
    const before = this.#written.get(element)?.[creditAttribute] ?? attribute(element, creditAttribute);
    const credits = new Set(kind === 'background' ? creditsIn(before) : []);
    if (record) for (const credit of this.#creditsOf(record)) credits.add(credit);
    const isRule = element.tagName === 'style';
    this.#set(element, {
      ...(!isRule && { [filledAttribute]: name }),
      ...(!isRule && words.from === 'elsewhere' && words.text && { 'data-image-query': words.text }),
      [creditAttribute]: [...credits].join(creditSeparator) || undefined,
    });
  }

  #writeUrl(
    { kind, element, attribute: name, range }: ImagePlace,
    src: string,
    record: ImageRecord | undefined,
  ): void {
    if (range) {
      const [start, end] = range;
      const url = src.replace(/['()\s\\]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
      const text = element.tagName === 'style' ? url : escaped(url);
      if (start === end) this.#source.appendLeft(start, text);
      else this.#source.update(start, end, text);
    } else if (kind === 'source') this.#set(element, { srcset: record?.srcset ?? src });
    else this.#set(element, { [name]: src });
  }

  #writeImage({ place: { element }, size }: Slot, record: ImageRecord | undefined, index: number): void {
    const missing = (name: string, value: string | undefined) =>
      attribute(element, name) === undefined && value !== undefined ? { [name]: value } : {};
    const style = attribute(element, 'style') ?? '';
    // A new image in a slot of ours has another placeholder; a background of the author stays.
    const other = style.replace(
      /(?:^|;\s*)background:url\(data:image\/webp[^()]*\) center\/cover no-repeat/,
      '',
    );
    const background =
      record?.placeholder && `background:url(${record.placeholder.dataUri}) center/cover no-repeat`;
    const srcset = record?.srcset ?? undefined;
    if (!size.hasHeight) this.#needsHeight = true;
    this.#set(element, {
      'data-ai-generated': record?.aiGenerated ? 'true' : undefined,
      ...(srcset || attribute(element, 'srcset') !== undefined ? { srcset } : {}),
      ...(srcset ? missing('sizes', `(min-width: ${size.width}px) ${size.width}px, 100vw`) : {}),
      ...missing('width', String(size.width)),
      ...missing('height', String(size.height)),
      ...missing('alt', record ? record.alt : ''),
      ...(background &&
        !/background/.test(other) && {
          style: [other.replace(/;\s*$/, ''), background].filter(Boolean).join(';'),
        }),
      ...(index === 0 ? missing('fetchpriority', 'high') : index > 2 ? missing('loading', 'lazy') : {}),
    });
  }

  /** The text of the credit line, where the licence asks for one; its markup is kept. */
  #creditsOf({ html, attribution }: ImageRecord): string[] {
    const line =
      html === null
        ? escaped(attribution.creditLine)
        : html.split('<figcaption>')[1]?.split('</figcaption>')[0];
    if (line === undefined) return [];
    const text = attribution.creditLine.replace(/\s+/g, ' ').trim();
    this.#credits.set(text, line);
    return [text];
  }

  #set(element: Element, values: Attributes): void {
    this.#written.set(element, { ...this.#written.get(element), ...values });
  }

  /** Writes attributes in their place, or after the last one. */
  #writeAttributes(element: Element, values: Attributes): void {
    const { attrs = {}, startOffset } = element.sourceCodeLocation as NonNullable<
      Element['sourceCodeLocation']
    >;
    const tag = /^<[^\s/>]+/.exec(this.html.slice(startOffset, startOffset + 80))?.[0] ?? '';
    const last = Math.max(
      startOffset + tag.length,
      ...Object.values(attrs).map(({ endOffset }) => endOffset),
    );
    for (const [name, value] of Object.entries(values)) {
      if (value === attribute(element, name)) continue;
      const at = attrs[name];
      const text = `="${escaped(value ?? '')}"`;
      if (!at) this.#source.appendLeft(last, ` ${name}${text}`);
      else if (value !== undefined) {
        const [given = name] = this.html.slice(at.startOffset, at.endOffset).split('=');
        this.#source.update(at.startOffset, at.endOffset, given.trimEnd() + text);
      } else {
        const isSpaced = /\s/.test(this.html[at.startOffset - 1] ?? '');
        this.#source.remove(at.startOffset - (isSpaced ? 1 : 0), at.endOffset);
      }
    }
  }
}
