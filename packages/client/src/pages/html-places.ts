/** Finds the images of a page. Each has a place in the source and a reason to be replaced or kept. */

import { type ImagePlace, isReplaced } from './fill';
import { judgeAllUrls, judgeUrl } from './judge-url';
import { extractWords, hasTemplateMark, readAskedWords } from './meaningful-text';
import type { Element, HtmlPage } from './page';
import { findAttr, findImg, getOffset, joinNames, listEnclosing, memoize, readAttr } from './page';
import { PageTooLarge, pageLimits } from './page-limits';
import { blankCode, findCssUrls, findPlaceholderUrls } from './text-urls';

/** An `ImagePlace` in a page, with the element and the kind that say how its image is written. */
export interface HtmlPlace extends ImagePlace {
  readonly kind: 'img' | 'source' | 'poster' | 'svg' | 'css' | 'preview' | 'preload' | 'other';
  readonly element: Element;
  readonly end?: number | undefined;
  readonly selector?: string | undefined;
  /** True if a script may set its `src`. Browsers would prefer a `srcset` to that. */
  readonly isScripted?: boolean;
}

export const filledAttribute = 'data-image-filled';

type Attribute = Element['attrs'][number];

/**
 * Finds an attribute from which a script sets the source later: `data-src`, `data-lazy-srcset`, `:src`.
 * A script that loads the image of a picture loads all of the picture.
 */
const findLaterSource: (element: Element) => Attribute | undefined = memoize((element) => {
  const img = element.tagName === 'source' ? findImg(element) : undefined;
  const source = element.attrs.find(({ name }) => /src/i.test(name) && !/^src(?:set)?$/.test(name));
  return source ?? (img && findLaterSource(img));
});
/** Matches names of attributes that only template languages and frameworks have. */
const directiveName =
  /^(?:v-|x-|ng-|t-att|th:|uk-img|wire:|hx-|bind|use:|slot$)|^(?!xml|xlink).*[:@[\](){}#*.]/;
const isTemplated = ({ name, value }: Attribute) => directiveName.test(name) || hasTemplateMark(value);
const isUrl = (text: string) =>
  /^(?:https?:)?\/\/|^\.{0,2}\/\S|\.(?:jpe?g|png|gif|webp|avif|svg)(?:[?#]|$)/i.test(text.trim());
const listDataUrls = ({ attrs }: Element): readonly string[] =>
  attrs.filter(({ name, value }) => name.startsWith('data-') && isUrl(value)).map(({ value }) => value);
const isShownAsCode = (element: Element): boolean =>
  listEnclosing(element).some(({ tagName }) => /^(?:code|pre|template|samp|kbd)$/.test(tagName));
const isHidden = memoize(
  (element) =>
    findAttr(element, 'hidden') !== undefined ||
    /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(readAttr(element, 'style')) ||
    /(?:^|\s)(?:hidden|is-hidden|d-none|invisible)(?:\s|$)/.test(readAttr(element, 'class')),
);

const handledElsewhere = /^(?:href|poster|content|style|alt|title|(?:image)?srcset)$/;
const unfilledImage =
  /^(?:(?:object data)|(?:input|embed) src|(?:body|table|thead|tbody|tfoot|tr|td|th) background)$/;
/** The names of `<meta>` elements with a preview: other sites show it with a link to the page. */
const previewName = /^(?:og:image(?::(?:url|secure_url))?|twitter:image(?::src)?)$/i;

/** A place whose URLs are not judged yet. They decide if it has no reason. `start` is the element's by default. */
type UnjudgedPlace = Pick<HtmlPlace, 'kind' | 'urls'> & Partial<HtmlPlace>;

/** Finds the images of a page, in the order of its source. @throws `PageTooLarge` */
export function findHtmlPlaces(page: HtmlPage, replaceStock: boolean): HtmlPlace[] {
  const { html, elements } = page;
  const isScripted = createScriptCheck(page);
  const htmlWithoutCode = blankCode(html, 'html');
  const places: HtmlPlace[] = [];
  for (const element of elements) {
    const start = getOffset(element);
    const isCode = isShownAsCode(element) || htmlWithoutCode[start] !== html[start];
    const isOfPicture = element.tagName === 'source' && element.parentNode?.nodeName === 'picture';
    const markupPlaces =
      element.tagName === 'img' || isOfPicture
        ? [makeImagePlace(element, isScripted(element))]
        : [...findPlacesByTag(element), ...findPlacesByAttribute(element)];
    for (const place of [...markupPlaces, ...findPlacesInCss(html, element)]) {
      const judgedUrl = judgeAllUrls(place.urls, replaceStock);
      const ownReason = place.reason ?? judgedUrl.reason;
      // A preload link is filled together with its image.
      const isKept = /^(?:other|preload)$/.test(place.kind) && isReplaced(ownReason);
      const reason = isCode ? 'code' : isKept ? 'unknown' : ownReason;
      places.push({ element, start, judgedUrl, ...place, reason });
    }
    if (places.length > pageLimits.images) throw new PageTooLarge('images');
  }
  return places.sort((a, b) => a.start - b.start);
}

function makeImagePlace(element: Element, isScripted: boolean): UnjudgedPlace {
  const kind = element.tagName as 'img' | 'source';
  const src = kind === 'img' ? readAttr(element, 'src') : '';
  const urls = [...(/^#?$/.test(src) ? [] : [src]), ...splitSrcset(readAttr(element, 'srcset'))];
  const reason = findImageReason(element, urls, isScripted);
  return { kind, urls, isScripted, ...(reason && { reason }) };
}

/** Says why an image is replaced or kept. `undefined` leaves it to the URLs. */
function findImageReason(element: Element, urls: readonly string[], isScripted: boolean) {
  const [filledFor, dataUrls] = [findAttr(element, filledAttribute), listDataUrls(element)];
  const laterSource = findLaterSource(element);
  if (judgeAllUrls(urls).reason === 'template' || (laterSource && isTemplated(laterSource)))
    return 'template';
  if (findAttr(element, 'data-image-keep') !== undefined) return 'owner';
  if (!['', filledFor].includes(readAskedWords(element))) return 'asked';
  if (filledFor !== undefined) return 'owner';
  // A lazy image shows the picture of its owner as soon as a reader sees it.
  if (laterSource || dataUrls.some((url) => !isReplaced(judgeUrl(url).reason))) return 'script';
  if (urls.length > 0) return undefined;
  if (element.tagName === 'source') return 'owner';
  if (element.attrs.some(isTemplated)) return 'template';
  const isHandled = element.attrs.some(({ name }) => name.startsWith('on'));
  if (isScripted || dataUrls.length > 0 || isHandled) return 'script';
  if (listEnclosing(element).some(isHidden)) return 'owner';
  return extractWords(readAttr(element, 'alt')) !== '' ? 'empty' : 'unknown';
}

/** Finds a poster, an SVG image, a preview or a preload link; a link to a placeholder; or placeholders in a script. */
function findPlacesByTag(element: Element): UnjudgedPlace[] {
  const { tagName } = element;
  const [href, poster] = [readAttr(element, 'href'), readAttr(element, 'poster')];
  if (tagName === 'video' && poster !== '') return [{ kind: 'poster', urls: [poster] }];
  if (tagName === 'image') return [{ kind: 'svg', urls: [readAttr(element, 'xlink:href') || href] }];
  if (tagName === 'meta' && previewName.test(readAttr(element, 'property') || readAttr(element, 'name')))
    return [{ kind: 'preview', urls: [readAttr(element, 'content')] }];
  if (/\bpreload\b.*\bimage$/i.test(`${readAttr(element, 'rel')} ${readAttr(element, 'as')}`)) {
    const urls = [...(href ? [href] : []), ...splitSrcset(readAttr(element, 'imagesrcset'))];
    return [{ kind: 'preload', urls }];
  }
  if (/^(?:a|area|link)$/.test(tagName) && isReplaced(judgeUrl(href).reason))
    return [{ kind: 'other', urls: [href], reason: 'link' }];
  const knownUrls = tagName === 'script' ? [...findPlaceholderUrls(readCode(element))] : [];
  return knownUrls.map(({ url }) => ({ kind: 'other', urls: [url], reason: 'script' }));
}

function findPlacesByAttribute({ tagName, attrs }: Element): UnjudgedPlace[] {
  return attrs.flatMap(({ name, value }): UnjudgedPlace[] => {
    const place = { kind: 'other', urls: [value] } as const;
    if (unfilledImage.test(`${tagName} ${name}`) && isUrl(value)) return [place];
    // A component or a script shows the image: `<amp-img src>`, `data-bg`.
    if (handledElsewhere.test(name) || judgeUrl(value).reason !== 'placeholder') return [];
    return [{ ...place, reason: name.startsWith('data-') ? 'script' : 'unknown' }];
  });
}

function findPlacesInCss(html: string, element: Element): UnjudgedPlace[] {
  const { startTag, endTag, attrs } = element.sourceCodeLocation ?? {};
  const isSheet = element.tagName === 'style' && startTag !== undefined;
  const style = /url\(|image-set\(/i.test(readAttr(element, 'style')) ? attrs?.['style'] : undefined;
  const attributeText = style ? html.slice(style.startOffset, style.endOffset) : '';
  const nameLength = /^[^=]*=\s*["']?/.exec(attributeText)?.[0].length ?? 0;
  const from = isSheet ? startTag.endOffset : (style?.startOffset ?? 0) + nameLength;
  const css = isSheet ? html.slice(from, endTag?.startOffset) : attributeText.slice(nameLength);
  return findCssUrls(css).flatMap(({ url, start: offset, property, selector }): UnjudgedPlace[] => {
    // Skips URLs that are no image, such as a part of the page or a font.
    if (url.startsWith('#') || /^(?:src|behavior|namespace)$/.test(property)) return [];
    const kind = /^(?:background(?:-image)?|--[\w-]+)$/.test(property) ? 'css' : 'other';
    const urls = [url.replace(/&amp;/g, '&')];
    const start = from + offset;
    return [{ kind, urls, start, end: start + url.length, ...(isSheet && { selector }) }];
  });
}

/** Splits a `srcset` into its URLs. A URL may hold commas, so it ends at a size, or at a comma and a space. */
function splitSrcset(srcset: string): string[] {
  const urls = srcset.replace(/\s+/g, ' ').split(/ [\d.]+[wxh] ?(?:,|$)|, |,$/);
  return urls.map((url) => url.trim()).filter(Boolean);
}

const readCode = ({ childNodes: [text] }: Element): string =>
  text?.nodeName === '#text' ? (text as unknown as { value: string }).value : '';

const dataType = /json|importmap|speculationrules|text\/(?:html|template|x-)/i;

/** Returns true if a script may set the source of an image. Tag managers only set the source of a script. */
const setsImageSource = (code: string): boolean =>
  /[.'"`]src(?:set)?\b|\bsrc(?:set)?\s*:|createObjectURL/.test(code) &&
  !(/createElement/.test(code) && /["']script["']/.test(code));

/** Returns a check for images whose source a script may set: all if one sets sources, else those that one names. */
function createScriptCheck({ elements }: HtmlPage): (element: Element) => boolean {
  const isScript = (node: Element) => node.tagName === 'script' && !dataType.test(readAttr(node, 'type'));
  const scripts = elements.filter(isScript);
  const isHandler = ({ name, value }: Attribute) => name.startsWith('on') || /^\s*javascript:/i.test(value);
  const handlers = elements.flatMap(({ attrs }) => attrs.filter(isHandler).map(({ value }) => value));
  const codes = [...scripts.map(readCode), ...handlers];
  if (codes.some(setsImageSource)) return () => true;
  const words = new Set(codes.flatMap((code) => code.match(/[\w-]+/g) ?? []));
  // A script in another file is not read, so it may name every id.
  const hasFile = scripts.some((script) => findAttr(script, 'src') !== undefined);
  return (element) => {
    const names = joinNames(element).split(/\s+/);
    return (hasFile && findAttr(element, 'id') !== undefined) || names.some((name) => words.has(name));
  };
}
