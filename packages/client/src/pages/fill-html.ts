/** Fills the images of an HTML page that are known to be placeholders; everything else stays byte for byte. */

import type { ImageRecord } from '../service';
import { type FilledPage, fillPlaces, type ImageFinder, type Judged, type Shown } from './fill-places';
import type { FillOptions } from './find-all';
import { filledAttribute, type ImagePlace, imagePlaces } from './image-places';
import {
  type Attributes,
  asData,
  attributeEdits,
  creditEdits,
  creditOf,
  cssEdit,
  type Edit,
} from './page-edits';
import { attribute, type Element, type Page, readPage } from './read-page';
import { picksOn, shownImages } from './shown-images';

export { PageTooLarge } from './page-limits';

/**
 * Reads a page without asking for an image.
 * @returns its images, and what would become of each
 * @throws `PageTooLarge`
 * @internal
 */
export async function judgeHtml(
  html: string,
  { isOver, replaceStock = false, isGone }: FillOptions,
): Promise<Judged<ImagePlace> & { readonly page: Page }> {
  const page = readPage(html, isOver);
  const judged = imagePlaces(page, replaceStock);
  const places = isGone ? await withoutGone(judged, isGone) : judged;
  return { text: html, page, places, shown: shownImages(page, places) };
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
  const judged = await judgeHtml(html, options);
  const { page, places, shown } = judged;
  return fillPlaces(judged, picksOn(places), finder, options, (records) => {
    const edits: Edit[] = [];
    const written = new Map<Element, Attributes>(previewTexts(page, places, records));
    for (const [place, image] of shown) {
      const { element, offset, length = 0 } = place;
      const record = records.get(place);
      const src = record ? (record.src ?? record.url) : image.drawn;
      if (src === undefined) continue;
      if (place.kind === 'css') edits.push(cssEdit(page, element, offset, length, src));
      else written.set(element, { ...written.get(element), ...attributesFor(place, image, src, record) });
    }
    for (const [element, values] of written) edits.push(...attributeEdits(page, element, values));
    const credits = [...records.values()].flatMap((record) => creditOf(record) ?? []);
    return [...edits, ...creditEdits(page, credits)];
  });
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
  const waiting = new Set(places.filter(isLoaded).flatMap((place) => place.urls));
  const gone = new Set<string>();
  const load = async () => {
    for (const url of waiting) {
      waiting.delete(url);
      if (await isGone(url.replace(/^\/\//, 'https://'))) gone.add(url);
    }
  };
  await Promise.all(Array.from({ length: loadsMax }, load));
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
