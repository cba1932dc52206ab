/** Fills whole pages: the package's only entry with a dependency. */

import type { Token } from 'parse5';
import type { ImageRecord } from '../service';
import { asData, dueCredit, type Edit, escapeHtml } from './edits';
import { type FilledPage, type FillOptions, fillPlaces, runInFours } from './fill';
import type { FindImages, Image, ImageResults } from './find-images';
import { assignImages } from './html-images';
import { filledAttribute, findPlaces, type HtmlPlace } from './html-places';
import { pickIn } from './judge-url';
import { attr, type Element, type HtmlPage, rawAttr, readPage } from './page';
import { encodeInUrl } from './text-urls';

export type { FilledImage } from '../service';
export type { FilledPage, FillOptions } from './fill';
export type { FindImages } from './find-images';
export { PageTooLarge } from './page-limits';

/** Reads a page and judges its images, without asking for one. @throws `PageTooLarge` @internal */
export async function judgeHtml(html: string, { replaceStock = false, isGone }: FillOptions) {
  const page = readPage(html);
  const places = findPlaces(page, replaceStock);
  return { page, places: assignImages(page, isGone ? await markMissing(places, isGone) : places) };
}

/** Loads the URLs of images that are not known to be placeholders: those of a missing image are all gone. */
async function markMissing(places: readonly HtmlPlace[], isGone: Required<FillOptions>['isGone']) {
  const isLoaded = ({ kind, element, urls, reason }: HtmlPlace) =>
    /^(?:owner|unknown)$/.test(reason) &&
    rawAttr(element, 'data-image-keep') === undefined &&
    !/^(?:other|preload)$/.test(kind) &&
    urls.length > 0 &&
    urls.every((url) => /^(?:https?:)?\/\//i.test(url));
  const loadedUrls = new Set(places.filter(isLoaded).flatMap(({ urls }) => urls));
  const gone = await runInFours(loadedUrls, (url) => isGone(url.replace(/^\/\//, 'https://')));
  const isMissing = (place: HtmlPlace) => isLoaded(place) && place.urls.every((url) => gone.get(url));
  return places.map((place): HtmlPlace => (isMissing(place) ? { ...place, reason: 'missing' } : place));
}

/**
 * Fills the images of a page that are known to be placeholders. Everything else stays byte for byte, and a
 * second run changes nothing. Malformed HTML is read as browsers read it.
 * @param find `fetchBatch` of a service with a key; absent to see what would be done
 * @throws `PageTooLarge`, and as `find`; what a single image lacks stands in the report
 */
export async function fillHtml(
  html: string,
  find: FindImages | undefined,
  options: FillOptions = {},
): Promise<FilledPage> {
  return fillJudgedPage(await judgeHtml(html, options), find, options);
}

/** Fills a judged page. @throws as `find` @internal */
export async function fillJudgedPage(
  { page, places }: Awaited<ReturnType<typeof judgeHtml>>,
  find: FindImages | undefined,
  options: FillOptions,
): Promise<FilledPage> {
  const shownImages = places.flatMap(({ urls: [url = ''], element }) => {
    const pick = pickIn(url);
    return pick === undefined ? [] : [[pick, attr(element, filledAttribute)] as const];
  });
  return fillPlaces(page.html, places, shownImages, find, options, (results) => [
    ...places.flatMap((place) => placeEdits(page, place, results)),
    ...previewEdits(page, places, results),
    ...creditEdits(page, places, results),
  ]);
}

/** Attributes to write; `undefined` removes one. */
type Attributes = Readonly<Record<string, string | undefined>>;

function placeEdits(page: HtmlPage, place: HtmlPlace, results: ImageResults): readonly Edit[] {
  const { kind, element, image, start, end = start } = place;
  const record = results.get(image)?.record;
  const src = record ? (record.src ?? record.url) : image?.drawing;
  if (!image || src === undefined) return [];
  if (kind === 'css') return [{ start, end, text: cssUrl(page, element, src) }];
  return attributeEdits(page, element, attributesOf(place, image, src, record));
}

/** Lists the attributes by which an element shows an image. @param record absent for one that is drawn */
function attributesOf(place: HtmlPlace, image: Image, src: string, record?: ImageRecord): Attributes {
  const { kind, element, isScripted, reason } = place;
  const { words, widthPx, heightPx } = { ...image, ...place.size };
  const srcset = (!isScripted && record?.srcset) || undefined;
  const sizes = srcset && `(min-width: ${widthPx}px) ${widthPx}px, 100vw`;
  const alt = record ? asData(record.alt) : (image.name ?? '');
  const marks = {
    ...((kind === 'img' || reason === 'asked') && { [filledAttribute]: words }),
    ...(record?.aiGenerated && { 'data-ai-generated': 'true' }),
  };
  const missing = (values: Attributes): Attributes =>
    Object.fromEntries(Object.entries(values).filter(([name]) => rawAttr(element, name) === undefined));
  if (kind === 'preview') return { content: src };
  if (kind === 'preload') return { href: src, imagesrcset: rawAttr(element, 'imagesrcset') && srcset };
  if (kind === 'source') return { srcset: srcset ?? src, ...missing({ sizes }), ...marks };
  if (kind === 'poster') return { poster: src, ...marks };
  if (kind === 'svg') return { [attr(element, 'xlink:href') ? 'xlink:href' : 'href']: src, ...marks };
  return { src, srcset, ...missing({ sizes, width: `${widthPx}`, height: `${heightPx}`, alt }), ...marks };
}

/** Writes a URL for the CSS of an element. In XML and in attributes, CSS is markup. */
function cssUrl({ html, isXml, isAscii }: HtmlPage, element: Element, src: string): string {
  const { startOffset, startTag } = element.sourceCodeLocation ?? {};
  const opening = html.slice(startOffset, (startTag?.endOffset ?? 0) + 100);
  const isText = element.tagName === 'style' && (!isXml || opening.includes('<![CDATA['));
  return isText ? encodeInUrl(src) : escapeHtml(encodeInUrl(src), isAscii);
}

/** Writes attributes of an element, in their place or behind the last one. */
function attributeEdits({ html, isAscii }: HtmlPage, element: Element, values: Attributes): Edit[] {
  const { attrs = {}, startOffset = 0 } = element.sourceCodeLocation ?? {};
  const edits: Edit[] = [];
  let added = '';
  for (const [name, value] of Object.entries(values)) {
    if (value === rawAttr(element, name)) continue;
    const text = value === undefined ? undefined : `="${escapeHtml(value, isAscii)}"`;
    const location = attrs[name];
    if (location) edits.push(valueEdit(html, location, text));
    else added += ` ${name}${text}`;
  }
  const tag = /^<[^\s/>]+/.exec(html.slice(startOffset, startOffset + 80))?.[0] ?? '';
  const ends = Object.values(attrs).map(({ endOffset }) => endOffset);
  const last = ends.reduce((max, end) => Math.max(max, end), startOffset + tag.length);
  return [...edits, { start: last, end: last, text: added }];
}

/** Writes a value behind an attribute's name; without a value, takes out the name and the space before it. */
function valueEdit(html: string, { startOffset, endOffset }: Token.Location, text: string | undefined): Edit {
  const spaceBefore = /\s/.test(html[startOffset - 1] ?? '') ? 1 : 0;
  if (text === undefined) return { start: startOffset - spaceBefore, end: endOffset, text: '' };
  const nameLength = html.slice(startOffset, endOffset).search(/[\s=]|$/);
  return { start: startOffset + nameLength, end: endOffset, text };
}

/** Writes type, sides and text of previews: the elements between a preview and the next one say them. */
function previewEdits(page: HtmlPage, places: readonly HtmlPlace[], results: ImageResults): Edit[] {
  const previews = places.filter(({ kind }) => kind === 'preview');
  const images = new Map(previews.map(({ element, image }) => [element, image]));
  let [image] = images.values();
  return page.elements.flatMap((element) => {
    if (images.has(element)) image = images.get(element);
    const record = results.get(image)?.record;
    const name = attr(element, 'property') || attr(element, 'name');
    const field = /^(?:og|twitter):image:(type|width|height|alt)$/i.exec(name)?.[1]?.toLowerCase();
    if (element.tagName !== 'meta' || !record || !field) return [];
    const { width, height, alt } = record;
    const texts = { type: 'image/jpeg', width: `${width}`, height: `${height}`, alt: asData(alt) };
    return attributeEdits(page, element, { content: texts[field as keyof typeof texts] });
  });
}

const creditsAttribute = 'data-image-credits';
/** Elements whose content is text up to their end tag. */
const rawText = /^(?:style|script|textarea|title|xmp|iframe|noembed|noframes|plaintext)$/;

/** Shows the credits of images: in the page's element for them, else in a footer at its end. */
function creditEdits(page: HtmlPage, places: readonly HtmlPlace[], results: ImageResults): Edit[] {
  const { html, elements, isXml, isAscii } = page;
  const creditsElement = elements.find((element) => rawAttr(element, creditsAttribute) !== undefined);
  const { startTag, endTag } = creditsElement?.sourceCodeLocation ?? {};
  const shownCredits = startTag && endTag ? html.slice(startTag.endOffset, endTag.startOffset) : '';
  const spans = creditSpans(places, results, shownCredits, isAscii);
  if (spans.length === 0) return [];
  const separator = isAscii ? ' &#183; ' : ' · ';
  const credits = spans.join(separator);
  if (!endTag) {
    const end = endOf(page);
    const text = `<footer ${creditsAttribute}${isXml ? '=""' : ''}><small>${credits}</small></footer>`;
    return [{ start: end, end, text }];
  }
  const end = endTag.startOffset - (/<\/small>\s*$/.exec(shownCredits)?.[0].length ?? 0);
  return [{ start: end, end, text: shownCredits.trim() === '' ? credits : separator + credits }];
}

/** Writes each credit that is due and not yet shown. */
function creditSpans(places: readonly HtmlPlace[], results: ImageResults, shown: string, isAscii: boolean) {
  const spans = new Map<string, string>();
  for (const { text, url } of places.flatMap(({ image }) => dueCredit(results.get(image)?.record) ?? [])) {
    const line = escapeHtml(text, isAscii);
    const link = url && `<a href="${escapeHtml(url, isAscii)}" rel="noopener">${line}</a>`;
    if (!shown.includes(line)) spans.set(text, `<span>${link ?? line}</span>`);
  }
  return [...spans.values()];
}

/** Finds the end of a page: before its end tags, else behind its last tag that is no comment's or text's. */
function endOf({ html, elements }: HtmlPage): number {
  const isClosed = ({ tagName, sourceCodeLocation }: Element) =>
    /^(?:body|html)$/.test(tagName) && sourceCodeLocation?.endTag !== undefined;
  const endTag = elements.findLast(isClosed)?.sourceCodeLocation?.endTag;
  if (endTag) return endTag.startOffset;
  const ends = elements.map(({ tagName, sourceCodeLocation: location }) => {
    const isUnclosed = rawText.test(tagName) && !location?.endTag;
    const lastTag = location?.endTag ?? location?.startTag ?? location;
    return (isUnclosed ? location?.startOffset : lastTag?.endOffset) ?? 0;
  });
  const last = ends.reduce((max, end) => Math.max(max, end), 0);
  return last + html.slice(last).search(/<|$/);
}
