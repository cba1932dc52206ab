/** Fills pages of HTML. This entry of the package has a dependency, parse5; all others have none. */

import { runInFours } from '../fetch-records';
import type { ImageRecord } from '../service';
import { type Edit, escapeHtml, neutraliseText, parseCredit } from './edits';
import { type FilledPage, makeFilledPage, type WantedImage } from './fill';
import { type FillOptions, type FindImages, findAllImages } from './find-images';
import { addImages } from './html-images';
import { filledAttribute, findHtmlPlaces, type HtmlPlace } from './html-places';
import { parsePick } from './judge-url';
import { type Element, findAttr, type HtmlPage, parsePage, readAttr } from './page';
import { encodeUnsafe } from './text-urls';

export type { ReportRow } from '../service';
export type { FilledPage } from './fill';
export type { FillOptions, FindImages } from './find-images';
export { PageTooLarge } from './page-limits';

/** Finds the images of a page and decides which are replaced. Asks for no image. @throws `PageTooLarge` @internal */
export async function judgeHtml(html: string, { replaceStock = false, isGone }: FillOptions) {
  const page = parsePage(html);
  const places = findHtmlPlaces(page, replaceStock);
  return { page, places: addImages(page, isGone ? await markMissing(places, isGone) : places) };
}

/** Loads the URLs of images that may be an owner's. Gives images whose URLs are all gone the reason `missing`. */
async function markMissing(places: readonly HtmlPlace[], isGone: NonNullable<FillOptions['isGone']>) {
  const loadedPlaces = places.filter(
    ({ kind, element, urls, reason }) =>
      /^(?:owner|unknown)$/.test(reason) &&
      findAttr(element, 'data-image-keep') === undefined &&
      !/^(?:other|preload)$/.test(kind) &&
      urls.length > 0 &&
      urls.every((url) => /^(?:https?:)?\/\//i.test(url)),
  );
  const loadedUrls = loadedPlaces.flatMap(({ urls }) => urls);
  const goneByUrl = await runInFours(loadedUrls, (url) => isGone(url.replace(/^\/\//, 'https://')));
  const missing = new Set(loadedPlaces.filter(({ urls }) => urls.every((url) => goneByUrl.get(url))));
  return places.map((place) => (missing.has(place) ? { ...place, reason: 'missing' as const } : place));
}

/**
 * Fills the images of a page that are known to be placeholders. Everything else stays byte for byte.
 * @param find `fetchBatch` with a base and a key; without it, the report says what would be done
 * @throws `PageTooLarge`, or what `find` throws
 */
export async function fillHtml(
  html: string,
  find: FindImages | undefined,
  options: FillOptions = {},
): Promise<FilledPage> {
  return fillJudgedPage(await judgeHtml(html, options), find, options);
}

/** Fills a page that `judgeHtml` has judged. @throws what `find` throws @internal */
export async function fillJudgedPage(
  { page, places }: Awaited<ReturnType<typeof judgeHtml>>,
  find: FindImages | undefined,
  options: FillOptions,
): Promise<FilledPage> {
  if (!find) return makeFilledPage(page.html, places);
  const shownImages = places.flatMap(({ urls: [url = ''], element }) => {
    const pick = parsePick(url);
    return pick === undefined ? [] : [[pick, readAttr(element, filledAttribute)] as const];
  });
  const foundPlaces = await findAllImages(places, shownImages, find, options);
  const edits = [
    ...foundPlaces.flatMap((place) => listPlaceEdits(page, place)),
    ...listPreviewEdits(page, foundPlaces),
    ...listCreditEdits(page, foundPlaces),
  ];
  return makeFilledPage(page.html, foundPlaces, edits);
}

/** The values of attributes by their names; `undefined` removes an attribute. */
type Attributes = Readonly<Record<string, string | undefined>>;

/** Lists the edits that show the image of a place. A place without an image that is found or drawn has none. */
function listPlaceEdits(page: HtmlPage, place: HtmlPlace): readonly Edit[] {
  const { kind, element, image, start, end = start } = place;
  const record = place.found?.record;
  const src = record ? (record.src ?? record.url) : image?.drawing;
  if (!image || src === undefined || kind === 'other') return [];
  if (kind === 'css') {
    const { startTag, startOffset } = element.sourceCodeLocation ?? {};
    const opening = page.html.slice(startOffset, (startTag?.endOffset ?? 0) + 100);
    // In XML and in attributes, CSS is escaped as markup.
    const isText = element.tagName === 'style' && (!page.isXml || opening.includes('<![CDATA['));
    return [{ start, end, text: isText ? encodeUnsafe(src) : escapeHtml(encodeUnsafe(src), page.isAscii) }];
  }
  return listAttributeEdits(page, element, listAttributes(place, image, src, record));
}

/** Lists the attributes that show an image, by the kind of its place. @param record absent if it is drawn */
function listAttributes(place: HtmlPlace, image: WantedImage, src: string, record?: ImageRecord): Attributes {
  const { kind, element, isScripted, reason } = place;
  const { words, widthPx, heightPx } = { ...image, ...place.size };
  const srcset = (!isScripted && record?.srcset) || undefined;
  const sizes = srcset && `(min-width: ${widthPx}px) ${widthPx}px, 100vw`;
  const alt = record ? neutraliseText(record.alt) : (image.name ?? '');
  const marks = {
    ...((kind === 'img' || reason === 'asked') && { [filledAttribute]: words }),
    ...(record?.aiGenerated && { 'data-ai-generated': 'true' }),
  };
  const keepMissing = (values: Attributes): Attributes =>
    Object.fromEntries(Object.entries(values).filter(([name]) => findAttr(element, name) === undefined));
  const layout = { sizes, width: `${widthPx}`, height: `${heightPx}`, alt };
  if (kind === 'img') return { src, srcset, ...keepMissing(layout), ...marks };
  if (kind === 'source') return { srcset: srcset ?? src, ...keepMissing({ sizes }), ...marks };
  if (kind === 'poster') return { poster: src, ...marks };
  if (kind === 'svg') return { [readAttr(element, 'xlink:href') ? 'xlink:href' : 'href']: src, ...marks };
  if (kind === 'preview') return { content: src };
  return { href: src, imagesrcset: findAttr(element, 'imagesrcset') && srcset };
}

/** Lists the edits that set attributes of an element. One without a value is removed, with the space before it. */
function listAttributeEdits({ html, isAscii }: HtmlPage, element: Element, values: Attributes): Edit[] {
  const { attrs = {}, startOffset = 0 } = element.sourceCodeLocation ?? {};
  const edits: Edit[] = [];
  let addedText = '';
  for (const [name, value] of Object.entries(values)) {
    if (value === findAttr(element, name)) continue;
    const { startOffset: start, endOffset: end } = attrs[name] ?? {};
    const text = `="${escapeHtml(value ?? '', isAscii)}"`;
    if (start === undefined || end === undefined) addedText += ` ${name}${text}`;
    else if (value === undefined)
      edits.push({ start: start - (/\s/.test(html[start - 1] ?? '') ? 1 : 0), end, text: '' });
    else edits.push({ start: start + html.slice(start, end).search(/[\s=]|$/), end, text });
  }
  const tag = /^<[^\s/>]+/.exec(html.slice(startOffset, startOffset + 80))?.[0] ?? '';
  const tagEnds = Object.values(attrs).map(({ endOffset }) => endOffset);
  const last = tagEnds.reduce((max, end) => Math.max(max, end), startOffset + tag.length);
  return [...edits, { start: last, end: last, text: addedText }];
}

/** Lists the edits that write type, size and text of previews into the elements beside them. */
function listPreviewEdits(page: HtmlPage, places: readonly HtmlPlace[]): Edit[] {
  const previews = places.filter(({ kind }) => kind === 'preview');
  const byElement = new Map(previews.map((place) => [place.element, place]));
  let [preview] = previews;
  return page.elements.flatMap((element) => {
    preview = byElement.get(element) ?? preview;
    const name = readAttr(element, 'property') || readAttr(element, 'name');
    const field = /^(?:og|twitter):image:(type|width|height|alt)$/i.exec(name)?.[1]?.toLowerCase();
    const record = preview?.found?.record;
    if (element.tagName !== 'meta' || !record || !field) return [];
    const { width, height, alt } = record;
    const texts = { type: 'image/jpeg', width: `${width}`, height: `${height}`, alt: neutraliseText(alt) };
    return listAttributeEdits(page, element, { content: texts[field as keyof typeof texts] });
  });
}

/** @internal */
export const creditsAttribute = 'data-image-credits';

/** Lists the edits that add missing credits, in the page's element for credits or in a footer. */
function listCreditEdits(page: HtmlPage, places: readonly HtmlPlace[]): Edit[] {
  const { html, elements, isXml, isOpen, isAscii } = page;
  const creditsElement = elements.find((element) => findAttr(element, creditsAttribute) !== undefined);
  const { startTag, endTag } = creditsElement?.sourceCodeLocation ?? {};
  const shownCredits = startTag && endTag ? html.slice(startTag.endOffset, endTag.startOffset) : '';
  const spans = new Map<string, string>();
  for (const { text, url } of places.flatMap(({ found }) => parseCredit(found?.record) ?? [])) {
    const line = escapeHtml(text, isAscii);
    const link = url && `<a href="${escapeHtml(url, isAscii)}" rel="noopener">${line}</a>`;
    if (!shownCredits.includes(line)) spans.set(text, `<span>${link ?? line}</span>`);
  }
  if (spans.size === 0) return [];
  const separator = isAscii ? ' &#183; ' : ' · ';
  const credits = [...spans.values()].join(separator);
  if (!endTag) {
    const ends = elements.map(({ tagName, sourceCodeLocation: location }) =>
      /^(?:body|html)$/.test(tagName) ? location?.endTag?.startOffset : undefined,
    );
    const end = ends.findLast((offset) => offset !== undefined) ?? html.length;
    // Within an open comment or script, nobody would see the footer.
    if (isOpen && end === html.length) return [];
    const text = `<footer ${creditsAttribute}${isXml ? '=""' : ''}><small>${credits}</small></footer>`;
    return [{ start: end, end, text }];
  }
  const end = endTag.startOffset - (/<\/small>\s*$/.exec(shownCredits)?.[0].length ?? 0);
  return [{ start: end, end, text: shownCredits.trim() === '' ? credits : separator + credits }];
}
