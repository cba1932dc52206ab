/** The images of a page: where each stands, and why it is replaced or kept. */

import { isReplaced, PageTooLarge, type Place, pageLimits } from './fill';
import { judgeUrl, judgeUrls } from './judge-url';
import { askedWords, isExpression, meaningfulText } from './meaningful-text';
import { around, attr, type Element, imageOf, namesOf, onceFor, type Page, rawAttr, startOf } from './page';
import { cssUrls, knownUrlsIn, withoutCode } from './text-urls';

/** An image of a page, or a URL that looks like one. */
export interface HtmlPlace extends Place {
  /** `other`: of a kind that is never filled. */
  readonly kind: 'img' | 'source' | 'poster' | 'svg' | 'css' | 'preview' | 'preload' | 'other';
  readonly element: Element;
  readonly attribute: string;
  /** Offset of the end of a URL in CSS. */
  readonly end?: number;
  /** Selector of the rule that it stands in, for a `<style>` only. */
  readonly selector?: string | undefined;
  /** Whether a script may give it another source, so that none is put before that. */
  readonly isScripted?: boolean;
}

/** Says that we have filled an element, and for which words. */
export const filledAttribute = 'data-image-filled';

type Judgement = Pick<Place, 'reason' | 'old'>;
type Attribute = Element['attrs'][number];

/** Attributes that give an image another source later: `data-src`, `data-lazy-srcset`, `:src`. */
const laterSource = onceFor(({ attrs }) =>
  attrs.find(({ name }) => /src/i.test(name) && !/^src(?:set)?$/.test(name)),
);
/** Names that only template languages and frameworks give to attributes. */
const isDirective = ({ name }: Attribute) =>
  /^(?:v-|x-|ng-|t-att|th:|uk-img|wire:|hx-|bind|use:|slot$)|[:@[\](){}#*.]/.test(name) &&
  !/^x(?:ml|link)/.test(name);
const isUrl = (text: string) =>
  /^(?:https?:)?\/\/|^\.{0,2}\/\S|\.(?:jpe?g|png|gif|webp|avif|svg)(?:[?#]|$)/i.test(text.trim());
const isShownAsCode = onceFor((element) =>
  around(element).some(({ tagName }) => /^(?:code|pre|template|samp|kbd)$/.test(tagName)),
);
const isHidden = onceFor(
  (element) =>
    rawAttr(element, 'hidden') !== undefined ||
    /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attr(element, 'style')) ||
    /(?:^|\s)(?:hidden|is-hidden|d-none|invisible)(?:\s|$)/.test(attr(element, 'class')),
);

/** Attributes that are read with their element, and texts. */
const handled = /^(?:href|poster|content|style|alt|title|(?:image)?srcset)$/;
/** Attributes of other elements that hold an image, which is never filled. */
const others =
  /^(?:(?:object data)|(?:input|embed) src|(?:body|table|thead|tbody|tfoot|tr|td|th) background)$/;
/** The names of a `<meta>` that holds the image which stands for the page elsewhere. */
const previews = /^(?:og:image(?::(?:url|secure_url))?|twitter:image(?::src)?)$/i;

type Judge = (...urls: readonly string[]) => Judgement;

/** Says why an image is replaced or kept. */
function judgeImage(element: Element, urls: string[], isScripted: boolean, judge: Judge): Judgement {
  const byUrls = urls.length > 0 ? judge(...urls) : undefined;
  if (byUrls?.reason === 'template') return byUrls;
  const { attrs } = element;
  const image = element.tagName === 'source' ? imageOf(element) : element;
  // A picture whose image a script loads is loaded by it as a whole.
  const later = laterSource(element) ?? (image && laterSource(image));
  if (later && (isDirective(later) || isExpression(later.value))) return { reason: 'template' };
  if (rawAttr(element, 'data-image-keep') !== undefined) return { reason: 'owner' };
  const asked = askedWords(element);
  const filled = rawAttr(element, filledAttribute);
  if (asked !== '' && asked !== filled) return { reason: 'asked' };
  if (filled !== undefined) return { reason: 'owner' };
  const inData = attrs.filter(({ name, value }) => name.startsWith('data-') && isUrl(value));
  // A lazy image shows its owner's as soon as it is seen.
  if (later || inData.some(({ value }) => !isReplaced(judge(value).reason))) return { reason: 'script' };
  if (byUrls) return byUrls;
  if (element.tagName === 'source') return { reason: 'owner' };
  if (attrs.some((each) => isDirective(each) || isExpression(each.value))) return { reason: 'template' };
  if (isScripted || inData.length > 0 || attrs.some(({ name }) => name.startsWith('on')))
    return { reason: 'script' };
  if (around(element).some(isHidden)) return { reason: 'owner' };
  return { reason: meaningfulText(attr(element, 'alt')) === '' ? 'unknown' : 'empty' };
}

/** The images of a page in the order of the source. @throws `PageTooLarge` */
export function htmlPlaces(page: Page, replaceStock: boolean): HtmlPlace[] {
  const { html } = page;
  const mayBeScripted = readScripts(page);
  const run = withoutCode(html, 'html');
  const judge: Judge = (...urls) => {
    const old = judgeUrls(urls, replaceStock);
    return { reason: old.reason, old };
  };
  const places: HtmlPlace[] = [];
  for (const element of page.elements) {
    const { tagName } = element;
    const start = startOf(element);
    const isCode = isShownAsCode(element) || run[start] !== html[start];
    const add = (
      kind: HtmlPlace['kind'],
      name: string,
      urls = [attr(element, name)],
      judged: Judgement = judge(...urls),
      more: Partial<HtmlPlace> = {},
    ) => {
      // Other kinds are never filled, and a preload only where its image is.
      const isKept = /^(?:other|preload)$/.test(kind) && isReplaced(judged.reason);
      const judgement: Judgement = isCode ? { reason: 'code' } : isKept ? { reason: 'unknown' } : judged;
      places.push({ kind, element, attribute: name, urls, start, ...more, ...judgement });
      if (places.length > pageLimits.images) throw new PageTooLarge('at most 2,000 images');
    };
    const [, parent] = around(element, 2);
    const isImage = tagName === 'img' || (tagName === 'source' && parent?.tagName === 'picture');
    const href = attr(element, 'href');

    if (isImage) {
      const src = tagName === 'img' ? attr(element, 'src') : '';
      const urls = [...(/^#?$/.test(src) ? [] : [src]), ...urlsOfSrcset(attr(element, 'srcset'))];
      const isScripted = mayBeScripted(element);
      const judged = judgeImage(element, urls, isScripted, judge);
      add(tagName, tagName === 'img' ? 'src' : 'srcset', urls, judged, { isScripted });
    } else if (tagName === 'video' && attr(element, 'poster') !== '') add('poster', 'poster');
    else if (tagName === 'image') add('svg', attr(element, 'xlink:href') === '' ? 'href' : 'xlink:href');
    else if (tagName === 'meta' && previews.test(attr(element, 'property') || attr(element, 'name')))
      add('preview', 'content');
    else if (/\bpreload\b.*\bimage$/i.test(`${attr(element, 'rel')} ${attr(element, 'as')}`)) {
      const urls = [...(href ? [href] : []), ...urlsOfSrcset(attr(element, 'imagesrcset'))];
      add('preload', 'href', urls);
    } else if (/^(?:a|area|link)$/.test(tagName) && isReplaced(judge(href).reason))
      add('other', 'href', [href], { reason: 'link' });
    else if (tagName === 'script')
      for (const { url } of knownUrlsIn(scriptText(element)))
        add('other', 'src', [url], { reason: 'script' });

    for (const { name, value } of isImage ? [] : element.attrs)
      if (others.test(`${tagName} ${name}`) && isUrl(value)) add('other', name, [value]);
      // A component, or data of a script: `<amp-img src>`, `data-bg`.
      else if (!handled.test(name) && judgeUrl(value).reason === 'placeholder')
        add('other', name, [value], { reason: name.startsWith('data-') ? 'script' : 'unknown' });
    const { startTag, endTag, attrs } = element.sourceCodeLocation ?? {};
    const isSheet = tagName === 'style' && startTag !== undefined;
    const style = /url\(|image-set\(/i.test(attr(element, 'style')) ? attrs?.['style'] : undefined;
    const written = style ? html.slice(style.startOffset, style.endOffset) : '';
    const before = /^[^=]*=\s*["']?/.exec(written)?.[0].length ?? 0;
    const from = isSheet ? startTag.endOffset : (style?.startOffset ?? 0) + before;
    const css = isSheet ? html.slice(from, endTag?.startOffset) : written.slice(before);
    for (const { url, start: at, property, selector } of cssUrls(css)) {
      // A part of the page, a font, and what else is no image.
      if (url.startsWith('#') || /^(?:src|behavior|namespace)$/.test(property)) continue;
      const urls = [url.replace(/&amp;/g, '&')];
      const place = { start: from + at, end: from + at + url.length, ...(isSheet && { selector }) };
      const isBackground = /^(?:background(?:-image)?|--[\w-]+)$/.test(property);
      add(isBackground ? 'css' : 'other', 'style', urls, judge(...urls), place);
    }
  }
  return places.sort((a, b) => a.start - b.start);
}

/** The URLs of a `srcset`: what stands between a size, or a comma and a space, and the next one. */
const urlsOfSrcset = (srcset: string): string[] =>
  srcset
    .replace(/\s+/g, ' ')
    .split(/ [\d.]+[wxh] ?(?:,|$)|, |,$/)
    .map((url) => url.trim())
    .filter(Boolean);

const data = /json|importmap|speculationrules|text\/(?:html|template|x-)/i;

const scriptText = ({ childNodes: [text] }: Element): string =>
  text?.nodeName === '#text' ? (text as unknown as { value: string }).value : '';

/** Reads the scripts and handlers of a page. @returns whether one may give an element another source */
function readScripts({ elements }: Page): (element: Element) => boolean {
  const scripts = elements.filter((each) => each.tagName === 'script' && !data.test(attr(each, 'type')));
  // A script in a file of its own is not read: it may change every element that has an id.
  const hasUnseen = scripts.some((each) => rawAttr(each, 'src') !== undefined);
  const isHandler = ({ name, value }: Attribute) => name.startsWith('on') || /^\s*javascript:/i.test(value);
  const handlers = elements.flatMap(({ attrs }) => attrs.filter(isHandler).map(({ value }) => value));
  const texts = [...scripts.map(scriptText), ...handlers];
  const setting = texts.filter((text) => /\bsrc(?:set)?\b|createObjectURL/.test(text));
  const setsAll = setting.some((text) => /["'`](?:[^"'`\n]*[\s>+~,])?img\b|document\.images/.test(text));
  const words = new Set(texts.flatMap((text) => text.match(/[\w-]+/g) ?? []));
  const isMentioned = onceFor((element) =>
    `${namesOf(element)} ${attr(element, 'name')}`
      .split(/\s+/)
      // `preview-b` is mentioned by `'preview-' + letter`.
      .flatMap((each) => [each, each.replace(/\d+$/, ''), /^.{1,60}[-_]/.exec(each)?.[0] ?? each])
      .some((each) => words.has(each)),
  );
  const isFrame = ({ tagName }: Element) => !/^(?:html|body|main)$/.test(tagName);
  return (element) =>
    setsAll ||
    isMentioned(element) ||
    (hasUnseen && rawAttr(element, 'id') !== undefined) ||
    (setting.length > 0 && around(element, 8).filter(isFrame).some(isMentioned));
}
