/** Fills the images of an HTML page that are known to be placeholders; everything else stays byte for byte. */

import { fetchBatch } from '../fetch-records';
import { type FilledImage, type ImageRecord, pageWidths } from '../service';
import { drawnImage } from './drawn-image';
import {
  type FindImages,
  type FindOptions,
  type FoundImage,
  findAll,
  type ImageWish,
  outcomeOf,
} from './find-all';
import { asData, type Credit, creditOf, escapeHtml } from './foreign-texts';
import type { ImagePlace } from './image-place';
import { filledAttribute, imagePlaces, urlsOfSrcset } from './image-places';
import type { Words } from './image-words';
import {
  type Attributes,
  applyEdits,
  attributeEdits,
  creditEdits,
  type Edit,
  formOf,
  type PageForm,
} from './page-edits';
import { Work } from './page-work';
import { attribute, type Element, lineCounter, type Page, readPage } from './read-page';
import { type Shown, type Slot, shownOn, slotsOf } from './slots';

export { PageTooLarge } from './page-work';

/** Which images of a page are filled, and with what. */
export interface FillOptions extends FindOptions {
  /** Replaces every photo of Unsplash, Pexels and Pixabay, not only those that cannot be real; `false` by default. */
  readonly replaceStock?: boolean;
  /** Whether a URL is gone: it answered 404 or 410. Without it no URL is loaded. */
  readonly isGone?: (url: string) => Promise<boolean>;
  /**
   * Called with the page's report before anything is asked for.
   * @param growthMax the most bytes by which the page becomes longer
   * @throws to refuse the page
   */
  readonly beforeFinding?: (growthMax: number, report: readonly FilledImage[]) => void;
  /** Counts the work that the page takes. */
  readonly work?: Work;
}

/** A page with its images, and what became of each. */
export interface FilledPage {
  readonly html: string;
  /** Images that a further call could fill. */
  readonly left: number;
  /** Credits that licences ask for; the page shows them. */
  readonly credits: readonly string[];
  /** A row for every image of the page. */
  readonly report: readonly FilledImage[];
}

/** How images are found: the service with an API key, or the call itself. */
export type ImageFinder = { readonly base: string; readonly key: string } | FindImages;

export const findBy = (finder: ImageFinder): FindImages =>
  typeof finder === 'function' ? finder : (batch) => fetchBatch(finder.base, batch, { key: finder.key });

/** What of a row is written whatever became of the image. */
export const rowOf = (line: number, url: string) => ({ line, was: url.slice(0, 200) });
/** What is not known of an image that stays. */
export const unasked = { query: null, width: null, height: null, src: null, pick: null } as const;

/** The row of a file or page that cannot be read as a whole. */
export const unreadRow = (note: string): FilledImage => ({
  ...rowOf(1, ''),
  outcome: 'left',
  reason: 'unknown',
  ...unasked,
  note,
});

/** Images that a further call could fill. */
export const leftIn = (report: readonly FilledImage[]): number =>
  report.filter(({ reason }) => reason === 'quota_exceeded' || reason === 'generation_in_progress').length;

/**
 * A page, its images and what would become of each.
 * @internal
 */
interface JudgedPage {
  readonly page: Page;
  readonly slots: readonly Slot[];
  readonly rows: Map<ImagePlace, FilledImage>;
}

/**
 * Reads a page without asking for an image. @throws `PageTooLarge`
 * @internal
 */
export async function judgeHtml(html: string, options: FillOptions): Promise<JudgedPage> {
  const page = readPage(html, options.work ?? new Work(options.isOver));
  const judged = imagePlaces(page, options.replaceStock ?? false);
  const places = options.isGone ? await withoutGone(judged, options.isGone) : judged;
  const slots = slotsOf(page, places, options);
  const lineAt = lineCounter(html);
  const rows = new Map<ImagePlace, FilledImage>();
  for (const place of places) {
    const reason = 'keep' in place.verdict ? place.verdict.keep : place.verdict.fill;
    rows.set(place, { ...rowOf(lineAt(place.offset), place.url), outcome: 'kept', reason, ...unasked });
  }
  for (const slot of slots)
    for (const [place, shown] of slot.shows) addTo(rows, place, planned(place, shown, slot));
  return { page, slots, rows };
}

function addTo(rows: JudgedPage['rows'], place: ImagePlace, news: Partial<FilledImage>): void {
  const row = rows.get(place);
  if (row) rows.set(place, { ...row, ...news });
}

/** What is to become of an image, as far as nobody is asked. */
function planned(
  { kind }: ImagePlace,
  { wish, reason, width, height }: Shown,
  { words: { text: query } }: Slot,
): Omit<FilledImage, 'line' | 'was'> {
  const about = { ...unasked, query, width, height };
  if (wish) return { ...about, outcome: 'filled', reason };
  // Where a preview is shown, nothing that is drawn in the page is.
  return kind === 'preview'
    ? { ...about, outcome: 'left', reason: 'no_words' }
    : { ...about, outcome: 'drawn', reason };
}

/**
 * Images fit the words that the page has for them; what is not known to be a placeholder is the owner's. The page filled
 * again stays the same. Malformed HTML is what browsers make of it.
 * @param finder absent to see what would be done
 * @throws `PageTooLarge`, and as the finder; what a single image lacks stands in the report
 */
export async function fillHtml(
  html: string,
  finder: ImageFinder | undefined,
  options: FillOptions = {},
): Promise<FilledPage> {
  const { page, slots, rows } = await judgeHtml(html, options);
  const places = [...rows.keys()];
  const wishes = new Set(slots.flatMap(({ shows }) => [...shows.values()].flatMap(({ wish }) => wish ?? [])));
  options.beforeFinding?.(growthOf(slots, options.imagesMax), [...rows.values()]);
  if (!finder) return { html, left: 0, credits: [], report: [...rows.values()] };
  const found = await findAll([...wishes], findBy(finder), options, shownOn(places));
  const writer = new PageWriter(page);
  for (const slot of slots)
    for (const [place, shown] of slot.shows) addTo(rows, place, writer.show(place, shown, slot, found));
  const report = [...rows.values()];
  return { ...writer.finish(places), left: leftIn(report), report };
}

/** The most bytes of a published URL without its words, its `&` written as references, and of an image that is drawn. */
const bytesMax = { url: 700, drawn: 1_200 };

/** The most bytes by which a page becomes longer, whichever of its images are found. */
function growthOf(slots: readonly Slot[], imagesMax = Infinity): number {
  const found: number[] = [];
  let drawn = 0;
  for (const { words, shows } of slots) {
    // Of a `srcset`, one for each width; the URL stands in the report too.
    const url = bytesMax.url + 9 * words.text.length;
    const urls = [...shows.keys()].map(({ kind }) =>
      /^(?:img|source)$/.test(kind) ? pageWidths.length + 3 : 3,
    );
    const isFound = [...shows.values()].some(({ wish }) => wish);
    if (isFound) found.push(url * urls.reduce((sum, each) => sum + each, 0));
    else drawn += bytesMax.drawn * shows.size;
  }
  const most = found.toSorted((a, b) => b - a).slice(0, imagesMax);
  return most.reduce((sum, each) => sum + each, drawn);
}

/** URLs that are loaded side by side. */
const loadsMax = 8;

/** The places, in which images that are gone are to be filled. */
async function withoutGone(
  places: readonly ImagePlace[],
  isGone: (url: string) => Promise<boolean>,
): Promise<ImagePlace[]> {
  const checked = [...places];
  const isChecked = ({ kind, url, verdict }: ImagePlace) =>
    'keep' in verdict &&
    /^(?:owner|unknown)$/.test(verdict.keep) &&
    kind !== 'other' &&
    kind !== 'preload' &&
    /^(?:https?:)?\/\//i.test(url);
  const waiting = places.flatMap((place, index) => (isChecked(place) ? [[place, index] as const] : []));
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [place, index] = next;
      const others = urlsOfSrcset(attribute(place.element, 'srcset') ?? '');
      let isAllGone = true;
      for (const url of new Set([place.url, ...others]))
        isAllGone &&= await isGone(url.startsWith('//') ? `https:${url}` : url);
      if (isAllGone) checked[index] = { ...place, verdict: { fill: 'missing', words: '' } };
    }
  };
  await Promise.all(Array.from({ length: loadsMax }, work));
  return checked;
}

/** Collects what is written into a page. */
class PageWriter {
  readonly #attributes = new Map<Element, Attributes>();
  readonly #edits: Edit[] = [];
  readonly #credits: Credit[] = [];
  readonly #form: PageForm;
  readonly #tone: string | undefined;
  /** The records of previews, for what is said about them. */
  readonly #previews = new Map<ImagePlace, ImageRecord>();

  constructor(readonly page: Page) {
    this.#form = formOf(page);
    const theme = page.elements.find(
      (each) => each.tagName === 'meta' && attribute(each, 'name') === 'theme-color',
    );
    this.#tone = theme && attribute(theme, 'content');
  }

  /** Shows an image in one place of its slot. @returns what is new in the row of the report */
  show(
    place: ImagePlace,
    { wish, reason, width, height }: Shown,
    { words }: Slot,
    found: ReadonlyMap<ImageWish, FoundImage>,
  ): Partial<FilledImage> {
    if (wish) {
      const of = typeof wish.of === 'object' ? found.get(wish.of) : undefined;
      const image = found.get(wish) ?? (of?.record ? undefined : of);
      const { record } = image ?? {};
      if (record) this.#write(place, record.src ?? record.url, { width, height }, words, record);
      return outcomeOf(image, reason);
    }
    if (place.kind === 'preview') return {};
    const name = words.person ?? (words.isLogo ? words.text : undefined);
    const src = drawnImage({ width, height }, this.#tone, name);
    this.#write(place, src, { width, height }, words);
    return { src };
  }

  #write(
    place: ImagePlace,
    src: string,
    { width, height }: { readonly width: number; readonly height: number },
    words: Words,
    record?: ImageRecord,
  ): void {
    const { kind, element, range, attribute: name = '', isScripted, verdict } = place;
    const credit = record && creditOf(record);
    if (credit) this.#credits.push(credit);
    const missing = (each: string, value: string) =>
      attribute(element, each) === undefined ? { [each]: value } : {};
    const srcset = (!isScripted && record?.srcset) || undefined;
    const sizes = srcset ? missing('sizes', `(min-width: ${width}px) ${width}px, 100vw`) : {};
    const isAsked = 'fill' in verdict && verdict.fill === 'asked';
    const marks = {
      ...((kind === 'img' || isAsked) && { [filledAttribute]: words.text }),
      ...(record?.aiGenerated && { 'data-ai-generated': 'true' }),
    };
    if (kind === 'css' && range) this.#writeCss(element, range, src);
    else if (kind === 'preview') this.#set(element, { [name]: src });
    else if (kind === 'preload')
      this.#set(element, {
        href: src,
        ...(attribute(element, 'imagesrcset') !== undefined && { imagesrcset: srcset }),
      });
    else if (kind === 'source') this.#set(element, { srcset: srcset ?? src, ...sizes, ...marks });
    else if (kind === 'img')
      this.#set(element, {
        src,
        srcset,
        ...sizes,
        ...missing('width', String(width)),
        ...missing('height', String(height)),
        ...missing('alt', record ? asData(record.alt) : (words.person ?? '')),
        ...marks,
      });
    else this.#set(element, { [name]: src, ...marks });
    if (kind === 'preview' && record) this.#previews.set(place, record);
  }

  #writeCss(element: Element, [start, end]: readonly [number, number], src: string): void {
    const url = src.replace(/['"()\s\\]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
    const isRule = element.tagName === 'style';
    const isXml =
      this.#form.isXml &&
      !this.page.html.slice(element.sourceCodeLocation?.startOffset, start).includes('<![CDATA[');
    const text = isRule && !isXml ? url : escapeHtml(url, this.#form.isAscii);
    this.#edits.push({ start, end, text });
  }

  #set(element: Element, values: Attributes): void {
    this.#attributes.set(element, { ...this.#attributes.get(element), ...values });
  }

  /** What stands beside a preview: its type, its sides and its text, up to the next preview. */
  #describePreviews(places: readonly ImagePlace[]): void {
    const previews = new Map(
      places.flatMap((place) => (place.kind === 'preview' ? [[place.element, place]] : [])),
    );
    let current = [...previews.values()][0];
    for (const element of this.page.elements) {
      current = previews.get(element) ?? current;
      const record = current && this.#previews.get(current);
      const name = attribute(element, 'property') ?? attribute(element, 'name') ?? '';
      const [, about] = /^(?:og|twitter):image:(type|width|height|alt)$/i.exec(name) ?? [];
      if (element.tagName !== 'meta' || !record || !about) continue;
      const values = {
        type: 'image/jpeg',
        width: record.width,
        height: record.height,
        alt: asData(record.alt),
      };
      this.#set(element, { content: String(values[about.toLowerCase() as keyof typeof values]) });
    }
  }

  finish(places: readonly ImagePlace[]): Pick<FilledPage, 'html' | 'credits'> {
    this.#describePreviews(places);
    const { page } = this;
    const edits = [...this.#attributes].flatMap(([element, values]) =>
      attributeEdits(page, element, values, this.#form),
    );
    edits.push(...this.#edits, ...creditEdits(page, this.#credits, this.#form));
    return {
      html: applyEdits(page.html, edits),
      credits: [...new Set(this.#credits.map(({ text }) => text))],
    };
  }
}
