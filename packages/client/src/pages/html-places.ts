/** Finds the images of a page: where each stands, and why it is replaced or kept. */

import { type ImagePlace, isReplaced } from './fill';
import { type JudgedUrl, judgeUrl, judgeUrls } from './judge-url';
import { askedWords, isExpression, meaningfulText } from './meaningful-text';
import type { Element, HtmlPage } from './page';
import { attr, imageOf, memoize, namesOf, pathUp, rawAttr, startOf } from './page';
import { PageTooLarge, pageLimits } from './page-limits';
import { cssUrls, knownUrlsIn, withoutCode } from './text-urls';

/** An image of a page, or a URL that looks like one. */
export interface HtmlPlace extends ImagePlace {
  /** `other`: of a kind that is never filled. */
  readonly kind: 'img' | 'source' | 'poster' | 'svg' | 'css' | 'preview' | 'preload' | 'other';
  readonly element: Element;
  /** Offset of the end of a URL in CSS. */
  readonly end?: number | undefined;
  /** Selector of its rule in a `<style>`. */
  readonly selector?: string | undefined;
  /** Whether a script may give it another `src`, which a `srcset` would hide. */
  readonly isScripted?: boolean;
}

/** The attribute of an element that was filled; its value is the words. */
export const filledAttribute = 'data-image-filled';

type Attribute = Element['attrs'][number];

/** Finds an attribute that gives an image another source later: `data-src`, `data-lazy-srcset`, `:src`. */
const laterSource = memoize(({ attrs }) =>
  attrs.find(({ name }) => /src/i.test(name) && !/^src(?:set)?$/.test(name)),
);
/** Whether only template languages and frameworks give this name to an attribute. */
const isDirective = ({ name }: Attribute) =>
  /^(?:v-|x-|ng-|t-att|th:|uk-img|wire:|hx-|bind|use:|slot$)|^(?!xml|xlink).*[:@[\](){}#*.]/.test(name);
const isOfTemplate = (attribute: Attribute) => isDirective(attribute) || isExpression(attribute.value);
const isUrl = (text: string) =>
  /^(?:https?:)?\/\/|^\.{0,2}\/\S|\.(?:jpe?g|png|gif|webp|avif|svg)(?:[?#]|$)/i.test(text.trim());
const urlsInData = ({ attrs }: Element): readonly string[] =>
  attrs.filter(({ name, value }) => name.startsWith('data-') && isUrl(value)).map(({ value }) => value);
const isShownAsCode = (element: Element): boolean =>
  pathUp(element).some(({ tagName }) => /^(?:code|pre|template|samp|kbd)$/.test(tagName));
const isHidden = memoize(
  (element) =>
    rawAttr(element, 'hidden') !== undefined ||
    /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attr(element, 'style')) ||
    /(?:^|\s)(?:hidden|is-hidden|d-none|invisible)(?:\s|$)/.test(attr(element, 'class')),
);

const handled = /^(?:href|poster|content|style|alt|title|(?:image)?srcset)$/;
/** Attributes of other elements that hold an image. It is never filled. */
const unfilledImage =
  /^(?:(?:object data)|(?:input|embed) src|(?:body|table|thead|tbody|tfoot|tr|td|th) background)$/;
/** The names of a `<meta>` that holds the image which stands for the page elsewhere. */
const previews = /^(?:og:image(?::(?:url|secure_url))?|twitter:image(?::src)?)$/i;

/** A place of an element, by default at its start. Where it has no reason, its URLs are judged. */
type ElementPlace = Pick<HtmlPlace, 'kind' | 'urls'> & Partial<HtmlPlace>;

/** Finds the images of a page, in the order of the source. @throws `PageTooLarge` */
export function findPlaces(page: HtmlPage, replaceStock: boolean): HtmlPlace[] {
  const { html, elements } = page;
  const isScripted = findScripted(page);
  const htmlWithoutCode = withoutCode(html, 'html');
  const places: HtmlPlace[] = [];
  for (const element of elements) {
    const start = startOf(element);
    const isCode = isShownAsCode(element) || htmlWithoutCode[start] !== html[start];
    const markupPlaces = isImage(element)
      ? [imagePlace(element, isScripted(element))]
      : [...contentPlaces(element), ...attributePlaces(element)];
    for (const place of [...markupPlaces, ...cssPlaces(html, element)]) {
      const judged = judgeUrls(place.urls, replaceStock);
      const reason = isCode ? 'code' : placeReason(place, judged);
      places.push({ element, start, judged, ...place, reason });
    }
    if (places.length > pageLimits.images) throw new PageTooLarge('at most 2,000 images');
  }
  return places.sort((a, b) => a.start - b.start);
}

/** Says why a place is replaced or kept. A preload is filled together with the image that it loads. */
function placeReason({ kind, reason: ownReason }: ElementPlace, judged: JudgedUrl): HtmlPlace['reason'] {
  const reason = ownReason ?? judged.reason;
  return /^(?:other|preload)$/.test(kind) && isReplaced(reason) ? 'unknown' : reason;
}

const isImage = (element: Element): boolean =>
  element.tagName === 'img' || (element.tagName === 'source' && pathUp(element, 2)[1]?.tagName === 'picture');

function imagePlace(element: Element, isScripted: boolean): ElementPlace {
  const kind = element.tagName as 'img' | 'source';
  const src = kind === 'img' ? attr(element, 'src') : '';
  const urls = [...(/^#?$/.test(src) ? [] : [src]), ...urlsOfSrcset(attr(element, 'srcset'))];
  const reason = imageReason(element, urls, isScripted);
  return { kind, urls, isScripted, ...(reason && { reason }) };
}

/** Says why an image is replaced or kept whatever its URLs are; `undefined` where they decide. */
function imageReason(element: Element, urls: readonly string[], isScripted: boolean) {
  const { tagName, attrs } = element;
  const image = tagName === 'source' ? imageOf(element) : element;
  // A picture whose image a script loads is loaded by it as a whole.
  const later = laterSource(element) ?? (image && laterSource(image));
  const dataUrls = urlsInData(element);
  const asked = askedWords(element);
  const filled = rawAttr(element, filledAttribute);
  const hasHandler = attrs.some(({ name }) => name.startsWith('on'));
  // The first row that holds decides.
  const rows: readonly (readonly [reason: HtmlPlace['reason'] | undefined, holds: boolean])[] = [
    ['template', judgeUrls(urls).reason === 'template'],
    ['template', later !== undefined && isOfTemplate(later)],
    ['owner', rawAttr(element, 'data-image-keep') !== undefined],
    ['asked', asked !== '' && asked !== filled],
    ['owner', filled !== undefined],
    // A lazy image shows its owner's as soon as it is seen.
    ['script', later !== undefined || dataUrls.some((url) => !isReplaced(judgeUrl(url).reason))],
    [undefined, urls.length > 0],
    ['owner', tagName === 'source'],
    ['template', attrs.some(isOfTemplate)],
    ['script', isScripted || hasHandler || dataUrls.length > 0],
    ['owner', pathUp(element).some(isHidden)],
    ['empty', meaningfulText(attr(element, 'alt')) !== ''],
    ['unknown', true],
  ];
  return rows.find(([, holds]) => holds)?.[0];
}

/** Finds the image that an element stands for, the link that looks like one, or the URLs in a script. */
function contentPlaces(element: Element): ElementPlace[] {
  const { tagName } = element;
  const [href, poster] = [attr(element, 'href'), attr(element, 'poster')];
  if (tagName === 'video' && poster !== '') return [{ kind: 'poster', urls: [poster] }];
  if (tagName === 'image') return [{ kind: 'svg', urls: [attr(element, 'xlink:href') || href] }];
  if (tagName === 'meta' && previews.test(attr(element, 'property') || attr(element, 'name')))
    return [{ kind: 'preview', urls: [attr(element, 'content')] }];
  if (/\bpreload\b.*\bimage$/i.test(`${attr(element, 'rel')} ${attr(element, 'as')}`)) {
    const urls = [...(href ? [href] : []), ...urlsOfSrcset(attr(element, 'imagesrcset'))];
    return [{ kind: 'preload', urls }];
  }
  if (/^(?:a|area|link)$/.test(tagName) && isReplaced(judgeUrl(href).reason))
    return [{ kind: 'other', urls: [href], reason: 'link' }];
  const known = tagName === 'script' ? [...knownUrlsIn(scriptText(element))] : [];
  return known.map(({ url }) => ({ kind: 'other', urls: [url], reason: 'script' }));
}

/** Finds images in other attributes, which are never filled. */
function attributePlaces({ tagName, attrs }: Element): ElementPlace[] {
  return attrs.flatMap(({ name, value }): ElementPlace[] => {
    const place = { kind: 'other', urls: [value] } as const;
    if (unfilledImage.test(`${tagName} ${name}`) && isUrl(value)) return [place];
    // A component, or data of a script: `<amp-img src>`, `data-bg`.
    if (handled.test(name) || judgeUrl(value).reason !== 'placeholder') return [];
    return [{ ...place, reason: name.startsWith('data-') ? 'script' : 'unknown' }];
  });
}

/** Finds the images in the CSS of a `<style>`, or of a `style` attribute. */
function cssPlaces(html: string, element: Element): ElementPlace[] {
  const { startTag, endTag, attrs } = element.sourceCodeLocation ?? {};
  const isSheet = element.tagName === 'style' && startTag !== undefined;
  const style = /url\(|image-set\(/i.test(attr(element, 'style')) ? attrs?.['style'] : undefined;
  const written = style ? html.slice(style.startOffset, style.endOffset) : '';
  const nameLength = /^[^=]*=\s*["']?/.exec(written)?.[0].length ?? 0;
  const from = isSheet ? startTag.endOffset : (style?.startOffset ?? 0) + nameLength;
  const css = isSheet ? html.slice(from, endTag?.startOffset) : written.slice(nameLength);
  return cssUrls(css).flatMap(({ url, start: offset, property, selector }): ElementPlace[] => {
    // A part of the page, a font, and what else is no image.
    if (url.startsWith('#') || /^(?:src|behavior|namespace)$/.test(property)) return [];
    const kind = /^(?:background(?:-image)?|--[\w-]+)$/.test(property) ? 'css' : 'other';
    const urls = [url.replace(/&amp;/g, '&')];
    const start = from + offset;
    return [{ kind, urls, start, end: start + url.length, ...(isSheet && { selector }) }];
  });
}

/** Splits a `srcset` into its URLs: what stands between a size, or a comma and a space, and the next one. */
function urlsOfSrcset(srcset: string): string[] {
  const urls = srcset.replace(/\s+/g, ' ').split(/ [\d.]+[wxh] ?(?:,|$)|, |,$/);
  return urls.map((url) => url.trim()).filter(Boolean);
}

const scriptText = ({ childNodes: [text] }: Element): string =>
  text?.nodeName === '#text' ? (text as unknown as { value: string }).value : '';

const dataType = /json|importmap|speculationrules|text\/(?:html|template|x-)/i;

/** Whether a script may set an image's source: `.src`, `'src'`, `src:`. Tag managers set that of a script. */
const setsSource = (code: string): boolean =>
  /[.'"`]src(?:set)?\b|\bsrc(?:set)?\s*:|createObjectURL/.test(code) &&
  !(/createElement/.test(code) && /["']script["']/.test(code));

/** Finds the images that a script may give a source: all where one sets sources, else those that it names. */
function findScripted({ elements }: HtmlPage): (element: Element) => boolean {
  const isScript = (node: Element) => node.tagName === 'script' && !dataType.test(attr(node, 'type'));
  const scripts = elements.filter(isScript);
  const isHandler = ({ name, value }: Attribute) => name.startsWith('on') || /^\s*javascript:/i.test(value);
  const handlers = elements.flatMap(({ attrs }) => attrs.filter(isHandler).map(({ value }) => value));
  const codes = [...scripts.map(scriptText), ...handlers];
  if (codes.some(setsSource)) return () => true;
  const words = new Set(codes.flatMap((code) => code.match(/[\w-]+/g) ?? []));
  // A script in a file of its own is not read: it may name every id.
  const hasFile = scripts.some((script) => rawAttr(script, 'src') !== undefined);
  return (element) => {
    const names = namesOf(element).split(/\s+/);
    return (hasFile && rawAttr(element, 'id') !== undefined) || names.some((name) => words.has(name));
  };
}
