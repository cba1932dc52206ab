/** Fills the images of an HTML page that are known to be placeholders; everything else stays byte for byte. */

import type { ImageRecord } from '../service';
import { type Attributes, asData, attributeEdits, creditEdits, cssEdit, type Edit } from './edits';
import { type FilledPage, fillPlaces, type ImageFinder } from './fill';
import type { FillOptions } from './find';
import { shownOn, withImages } from './html-images';
import { filledAttribute, type HtmlPlace, htmlPlaces } from './html-places';
import { attribute, type Page, readPage, said } from './page';

export { PageTooLarge } from './page-limits';

/**
 * Reads a page without asking for an image.
 * @returns its images, and what belongs in the places of those that are to be replaced
 * @throws `PageTooLarge`
 * @internal
 */
export async function judgeHtml(
  html: string,
  { isOver, replaceStock = false, isGone }: FillOptions,
): Promise<{ readonly page: Page; readonly places: readonly HtmlPlace[] }> {
  const page = readPage(html, isOver);
  const judged = htmlPlaces(page, replaceStock);
  return { page, places: withImages(page, isGone ? await withoutGone(judged, isGone) : judged) };
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
  const { page, places } = await judgeHtml(html, options);
  const judged = { text: html, places, already: shownOn(places) };
  return fillPlaces(judged, finder, options, (records) => [
    ...places.flatMap((place) => editsOf(page, place, records.get(place))),
    ...previewEdits(page, places, records),
    ...creditEdits(page, records.values()),
  ]);
}

/** URLs that are loaded side by side. */
const loadsMax = 8;

/** The places, in which images that are gone are to be filled. */
async function withoutGone(
  places: readonly HtmlPlace[],
  isGone: (url: string) => Promise<boolean>,
): Promise<HtmlPlace[]> {
  const isLoaded = ({ kind, urls, reason }: HtmlPlace) =>
    /^(?:owner|unknown)$/.test(reason) &&
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
    isLoaded(place) && place.urls.every((url) => gone.has(url)) ? { ...place, reason: 'missing' } : place,
  );
}

/** The changes that show an image in its place. */
function editsOf(page: Page, place: HtmlPlace, record: ImageRecord | undefined): readonly Edit[] {
  const { kind, element, attribute: name, isScripted, image, reason, offset: start, end = 0 } = place;
  const src = record ? (record.src ?? record.url) : image?.drawn;
  if (!image || src === undefined) return [];
  if (kind === 'css') return [cssEdit(page, element, { start, end }, src)];
  const missing = (each: string, value: string) =>
    attribute(element, each) === undefined ? { [each]: value } : {};
  const { words, width, height } = { ...image, ...place.size };
  const srcset = (!isScripted && record?.srcset) || undefined;
  const sizes = srcset ? missing('sizes', `(min-width: ${width}px) ${width}px, 100vw`) : {};
  const marks = {
    ...((kind === 'img' || reason === 'asked') && { [filledAttribute]: words }),
    ...(record?.aiGenerated && { 'data-ai-generated': 'true' }),
  };
  const attributesBy: Partial<Record<HtmlPlace['kind'], () => Attributes>> = {
    preview: () => ({ content: src }),
    preload: () => ({ href: src, imagesrcset: attribute(element, 'imagesrcset') && srcset }),
    source: () => ({ srcset: srcset ?? src, ...sizes, ...marks }),
    img: () => ({
      ...{ src, srcset, ...sizes },
      ...{ ...missing('width', String(width)), ...missing('height', String(height)) },
      ...{ ...missing('alt', record ? asData(record.alt) : (image.name ?? '')), ...marks },
    }),
  };
  return attributeEdits(page, element, attributesBy[kind]?.() ?? { [name]: src, ...marks });
}

/** What stands beside previews in the page: their type, sides and text, each up to the next preview. */
function previewEdits(
  page: Page,
  places: readonly HtmlPlace[],
  records: ReadonlyMap<HtmlPlace, ImageRecord>,
): Edit[] {
  const previews = new Map(
    places.flatMap((each) => (each.kind === 'preview' ? [[each.element, records.get(each)]] : [])),
  );
  let [current] = previews.values();
  return page.elements.flatMap((element) => {
    if (previews.has(element)) current = previews.get(element);
    const name = said(element, 'property') || said(element, 'name');
    const about = /^(?:og|twitter):image:(type|width|height|alt)$/i.exec(name)?.[1]?.toLowerCase();
    if (element.tagName !== 'meta' || !current || !about) return [];
    const { width, height, alt } = current;
    const texts = { type: 'image/jpeg', width: `${width}`, height: `${height}`, alt: asData(alt) };
    return attributeEdits(page, element, { content: texts[about as keyof typeof texts] });
  });
}
