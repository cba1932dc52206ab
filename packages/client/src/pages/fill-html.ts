/** Fills the images of an HTML page that are known to be placeholders; everything else stays byte for byte. */

import { fetchBatch } from '../fetch-records';
import { type FilledImage, type ImageRecord, pageWidths } from '../service';
import {
  type FindImages,
  type FindOptions,
  type FoundImage,
  findAll,
  type ImageWish,
  outcomeOf,
} from './find-all';
import { asData, creditOf, escapeHtml } from './foreign-texts';
import type { ImagePlace } from './image-place';
import { filledAttribute, imagePlaces } from './image-places';
import {
  type Attributes,
  applyEdits,
  attributeEdits,
  creditEdits,
  type Edit,
  formOf,
  type PageForm,
} from './page-edits';
import { attribute, type Element, lineCounter, type Page, readPage } from './read-page';
import { picksOn, type Shown, shownImages } from './slots';

export { PageTooLarge } from './page-limits';

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

/** How images are found: the service with an API key, or the call itself; absent to see what would be done. */
export type ImageFinder = { readonly base: string; readonly key: string } | FindImages | undefined;

/** The call of a finder. */
export const findBy = (finder: NonNullable<ImageFinder>): FindImages =>
  typeof finder === 'function' ? finder : (batch) => fetchBatch(finder.base, batch, { key: finder.key });

/** The row of an image that stays. */
export const keptRow = (line: number, url: string, reason: FilledImage['reason']): FilledImage => ({
  ...{ line, was: url.slice(0, 200), outcome: 'kept', reason },
  ...{ query: null, width: null, height: null, src: null, pick: null },
});

/** The row of a file or page that cannot be read as a whole. */
export const unreadRow = (note: string): FilledImage => ({
  ...keptRow(1, '', 'unknown'),
  outcome: 'left',
  note,
});

/** Images that a further call could fill. */
export const leftIn = (report: readonly FilledImage[]): number =>
  report.filter(({ reason }) => /^(?:quota_exceeded|generation_in_progress)$/.test(reason)).length;

/**
 * Reads a page without asking for an image.
 * @returns its images, and what would become of each
 * @throws `PageTooLarge`
 * @internal
 */
export async function judgeHtml(html: string, { isOver, replaceStock = false, isGone }: FillOptions) {
  const page = readPage(html, isOver);
  const judged = imagePlaces(page, replaceStock);
  const places = isGone ? await withoutGone(judged, isGone) : judged;
  const shown = shownImages(page, places);
  return { page, places, shown, report: reportOf(page, places, shown) };
}

/**
 * Images fit the words that the page has for them; what is not known to be a placeholder is the owner's. The page filled
 * again stays the same. Malformed HTML is what browsers make of it.
 * @throws `PageTooLarge`, and as the finder; what a single image lacks stands in the report
 */
export async function fillHtml(
  html: string,
  finder: ImageFinder,
  options: FillOptions = {},
): Promise<FilledPage> {
  const { page, places, shown, report: judged } = await judgeHtml(html, options);
  options.beforeFinding?.(growthOf([...shown], options.imagesMax), judged);
  if (!finder) return { html, left: 0, credits: [], report: judged };
  const wishes = new Set([...shown.values()].flatMap(({ wish }) => wish ?? []));
  const found = await findAll([...wishes], findBy(finder), options, picksOn(places));
  const form = formOf(page);
  const written = new Map<Element, Attributes>();
  const edits: Edit[] = [];
  const records = new Map<ImagePlace, ImageRecord>();
  for (const [place, image] of shown) {
    const record = image.wish && found.get(image.wish)?.record;
    if (record) records.set(place, record);
    const src = record ? (record.src ?? record.url) : image.drawn;
    const before = written.get(place.element);
    if (src === undefined) continue;
    if (place.kind === 'css') edits.push(cssEdit(page, place, src, form));
    else written.set(place.element, { ...before, ...attributesFor(place, image, src, record) });
  }
  for (const [element, content] of previewTexts(page, places, records)) written.set(element, content);
  for (const [element, values] of written) edits.push(...attributeEdits(page, element, values, form));
  const credits = [...records.values()].flatMap((record) => creditOf(record) ?? []);
  edits.push(...creditEdits(page, credits, form));
  const report = reportOf(page, places, shown, found);
  const texts = [...new Set(credits.map(({ text }) => text))];
  return { html: applyEdits(html, edits), left: leftIn(report), credits: texts, report };
}

/** A row for each place. @param found what its images have come to; absent where they are not asked for */
function reportOf(
  { html }: Page,
  places: readonly ImagePlace[],
  shown: ReadonlyMap<ImagePlace, Shown>,
  found?: ReadonlyMap<ImageWish, FoundImage>,
): FilledImage[] {
  const lineAt = lineCounter(html);
  return places.map((place) => {
    const { kind, verdict, offset, urls } = place;
    const reason = 'keep' in verdict ? verdict.keep : verdict.fill;
    const row = keptRow(lineAt(offset), urls[0] ?? '', reason);
    const image = shown.get(place);
    if (!image) return row;
    const { words, wish, width, height, drawn } = image;
    const described = { ...row, query: words.text, width, height };
    // Where a preview is shown, nothing that is drawn in the page is.
    if (!wish && kind === 'preview') return { ...described, outcome: 'left', reason: 'no_words' };
    if (!wish) return { ...described, outcome: 'drawn', src: (found && drawn) ?? null };
    const fill = 'fill' in verdict ? verdict.fill : 'placeholder';
    return { ...described, outcome: 'filled', ...(found && outcomeOf(found.get(wish), fill)) };
  });
}

/** The most bytes of a published URL without its words, its `&` written as references, and of an image that is drawn. */
const bytesMax = { url: 700, drawn: 1_200 };

/** The most bytes by which a page becomes longer, whichever of its images are found. */
function growthOf(shown: readonly (readonly [ImagePlace, Shown])[], imagesMax = Infinity): number {
  let drawn = 0;
  const found = new Map<ImageWish, number>();
  for (const [{ kind }, { words, wish }] of shown) {
    // Of a `srcset`, one for each width; the URL stands in the report too.
    const urls = kind === 'img' || kind === 'source' ? pageWidths.length + 3 : 3;
    const image = typeof wish?.of === 'object' ? wish.of : wish;
    if (image) found.set(image, (found.get(image) ?? 0) + urls * (bytesMax.url + 9 * words.text.length));
    else drawn += bytesMax.drawn;
  }
  const most = [...found.values()].sort((a, b) => b - a).slice(0, imagesMax);
  return most.reduce((sum, each) => sum + each, drawn);
}

/** URLs that are loaded side by side. */
const loadsMax = 8;

/** The places, in which images that are gone are to be filled. */
async function withoutGone(
  places: readonly ImagePlace[],
  isGone: (url: string) => Promise<boolean>,
): Promise<ImagePlace[]> {
  const isLoaded = ({ kind, urls, verdict }: ImagePlace) =>
    'keep' in verdict &&
    /^(?:owner|unknown)$/.test(verdict.keep) &&
    !/^(?:other|preload)$/.test(kind) &&
    urls.length > 0 &&
    urls.every((url) => /^(?:https?:)?\/\//i.test(url));
  const urls = [...new Set(places.filter(isLoaded).flatMap((place) => place.urls))];
  const gone = new Set<string>();
  while (urls.length > 0)
    await Promise.all(
      urls.splice(0, loadsMax).map(async (url) => {
        if (await isGone(url.replace(/^\/\//, 'https://'))) gone.add(url);
      }),
    );
  return places.map((place) =>
    isLoaded(place) && place.urls.every((url) => gone.has(url))
      ? { ...place, verdict: { fill: 'missing', words: '' } }
      : place,
  );
}

/** What is written where an element shows an image. */
function attributesFor(
  { kind, element, attribute: name, isScripted, verdict }: ImagePlace,
  { words, width, height }: Shown,
  src: string,
  record: ImageRecord | undefined,
): Attributes {
  const missing = (each: string, value: string) =>
    attribute(element, each) === undefined ? { [each]: value } : {};
  const srcset = (!isScripted && record?.srcset) || undefined;
  const sizes = srcset ? missing('sizes', `(min-width: ${width}px) ${width}px, 100vw`) : {};
  const isMarked = kind === 'img' || ('fill' in verdict && verdict.fill === 'asked');
  const marks = {
    ...(isMarked && { [filledAttribute]: words.text }),
    ...(record?.aiGenerated && { 'data-ai-generated': 'true' }),
  };
  if (kind === 'preview') return { content: src };
  if (kind === 'preload') return { href: src, imagesrcset: attribute(element, 'imagesrcset') && srcset };
  if (kind === 'source') return { srcset: srcset ?? src, ...sizes, ...marks };
  if (kind !== 'img') return { [name]: src, ...marks };
  const shape = { ...missing('width', String(width)), ...missing('height', String(height)) };
  const alt = missing('alt', record ? asData(record.alt) : (words.name ?? ''));
  return { src, srcset, ...sizes, ...shape, ...alt, ...marks };
}

function cssEdit(
  { html }: Page,
  { element, offset, length = 0 }: ImagePlace,
  src: string,
  { isXml, isAscii }: PageForm,
): Edit {
  const url = src.replace(/['"()\s\\]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const { startTag, startOffset = 0 } = element.sourceCodeLocation ?? {};
  const beginning = html.slice(startOffset, (startTag?.endOffset ?? startOffset) + 100);
  const isText = element.tagName === 'style' && (!isXml || beginning.includes('<![CDATA['));
  return { start: offset, end: offset + length, text: isText ? url : escapeHtml(url, isAscii) };
}

/** What stands beside previews in the page: their type, sides and text, each up to the next preview. */
function previewTexts(
  { elements }: Page,
  places: readonly ImagePlace[],
  records: ReadonlyMap<ImagePlace, ImageRecord>,
): (readonly [Element, Attributes])[] {
  const previews = new Map<Element, ImageRecord | undefined>();
  for (const place of places) if (place.kind === 'preview') previews.set(place.element, records.get(place));
  let [current] = previews.values();
  return elements.flatMap((element) => {
    if (previews.has(element)) current = previews.get(element);
    const name = attribute(element, 'property') ?? attribute(element, 'name') ?? '';
    const about = /^(?:og|twitter):image:(type|width|height|alt)$/i.exec(name)?.[1]?.toLowerCase();
    if (element.tagName !== 'meta' || !current || !about) return [];
    const { width, height, alt } = current;
    const texts = { type: 'image/jpeg', width: `${width}`, height: `${height}`, alt: asData(alt) };
    return [[element, { content: texts[about as keyof typeof texts] }] as const];
  });
}
