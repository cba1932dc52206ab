/** The images of a page: where each stands, and whether its owner has put it there or it is to be replaced. */

import { cssUrls } from './css-urls';
import type { Place } from './fill-places';
import { judgeUrl, type Verdict } from './judge-url';
import { PageTooLarge, pageLimits } from './page-limits';
import {
  around,
  attribute,
  type Element,
  imageOf,
  namesOf,
  onceFor,
  type Page,
  parentOf,
  startOf,
} from './read-page';
import { askedWords, isExpression, telling } from './telling';
import { knownUrlsIn, withoutCode } from './text-urls';

/** An image of a page, or a URL that looks like one. */
export interface ImagePlace extends Place {
  readonly element: Element;
  /** Attribute that holds the URL. */
  readonly attribute: string;
  /** How many characters a URL in CSS has as it is written. */
  readonly length?: number;
  /** Selector of the rule that it stands in, for a `<style>` only. */
  readonly selector?: string;
  /** Whether a script may give it another source, so that none is put before that. */
  readonly isScripted?: boolean;
}

/** Says that we have filled an element, and for which words. */
export const filledAttribute = 'data-image-filled';

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
const isUrlInData = ({ name, value }: Attribute) => name.startsWith('data-') && isUrl(value);
const isShownAsCode = onceFor((element) =>
  around(element).some(({ tagName }) => /^(?:code|pre|template|samp|kbd)$/.test(tagName)),
);
const isHidden = onceFor(
  (element) =>
    attribute(element, 'hidden') !== undefined ||
    /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attribute(element, 'style') ?? '') ||
    /(?:^|\s)(?:hidden|is-hidden|d-none|invisible)(?:\s|$)/.test(attribute(element, 'class') ?? ''),
);

/** Attributes that are read by their element, and texts. */
const handled = /^(?:href|poster|content|style|background|data|alt|title|(?:image)?srcset)$/;

/** The attribute of other elements that holds an image, which is never filled. */
function otherSource(tagName: string): string {
  if (tagName === 'object') return 'data';
  if (tagName === 'input' || tagName === 'embed') return 'src';
  return /^(?:body|table|thead|tbody|tfoot|tr|td|th)$/.test(tagName) ? 'background' : '';
}

/**
 * @param replaceStock whether stock photos that may be real are to be replaced too
 * @returns in the order of the source
 * @throws `PageTooLarge`
 */
export function imagePlaces(page: Page, replaceStock: boolean): ImagePlace[] {
  const isScripted = readScripts(page);
  const run = withoutCode(page.html, 'html');
  const judge = (urls: readonly string[]) => judgeUrls(urls, replaceStock);
  const places: ImagePlace[] = [];
  for (const element of page.elements) {
    const { tagName } = element;
    const said = (name: string) => attribute(element, name)?.trim() ?? '';
    const isCode = isShownAsCode(element) || run[startOf(element)] !== page.html[startOf(element)];
    const add = (
      kind: ImagePlace['kind'],
      name: string,
      urls: readonly string[],
      verdict: Verdict,
      more: Partial<ImagePlace> = {},
    ) => {
      const place = { kind, element, attribute: name, urls, offset: startOf(element), ...more };
      places.push({ ...place, verdict: isCode ? { keep: 'code' } : verdict });
      if (places.length > pageLimits.images) throw new PageTooLarge('at most 2,000 images');
    };
    const addOwn = (kind: 'poster' | 'svg' | 'preview', name: string) =>
      add(kind, name, [said(name)], judge([said(name)]));
    const isImage = tagName === 'img' || (tagName === 'source' && parentOf(element)?.tagName === 'picture');
    const other = otherSource(tagName);

    if (isImage) {
      const src = tagName === 'img' ? said('src') : '';
      const urls = [...(/^#?$/.test(src) ? [] : [src]), ...urlsOfSrcset(said('srcset'))];
      const verdict = verdictOf(element, urls.length === 0 ? undefined : judge(urls), isScripted, judge);
      add(tagName, tagName === 'img' ? 'src' : 'srcset', urls, verdict, { isScripted: isScripted(element) });
    } else if (tagName === 'video' && said('poster') !== '') addOwn('poster', 'poster');
    else if (tagName === 'image') addOwn('svg', said('xlink:href') === '' ? 'href' : 'xlink:href');
    else if (tagName === 'meta' && isPreview(said('property') || said('name'))) addOwn('preview', 'content');
    else if (tagName === 'link' && /\bpreload\b/i.test(said('rel')) && /^image$/i.test(said('as'))) {
      const urls = [...(said('href') ? [said('href')] : []), ...urlsOfSrcset(said('imagesrcset'))];
      // It is filled with the image that it loads early.
      add('preload', 'href', urls, neverFilled(judge(urls)));
    } else if (/^(?:a|area|link)$/.test(tagName)) {
      if ('fill' in judge([said('href')])) add('other', 'href', [said('href')], { keep: 'link' });
    } else if (tagName === 'script')
      for (const { url } of knownUrlsIn(scriptText(element))) add('other', 'src', [url], { keep: 'script' });
    else if (isUrl(said(other)) && (tagName !== 'input' || /^image$/i.test(said('type'))))
      add('other', other, [said(other)], neverFilled(judge([said(other)])));

    // A component, or data of a script: `<amp-img src>`, `data-bg`.
    for (const { name, value } of isImage ? [] : element.attrs)
      if (!handled.test(name) && name !== other && judgeUrl(value).kind === 'placeholder')
        add('other', name, [value], { keep: name.startsWith('data-') ? 'script' : 'unknown' });
    const { css, from } = cssOf(element, page);
    for (const { url, start, property, selector } of cssUrls(css)) {
      // A part of the page, a font, and what else is no image.
      if (url.startsWith('#') || /^(?:src|behavior|namespace)$/.test(property)) continue;
      const isBackground = /^(?:background(?:-image)?|--[\w-]+)$/.test(property);
      const urls = [url.replace(/&amp;/g, '&')];
      add(
        isBackground ? 'css' : 'other',
        'style',
        urls,
        isBackground ? judge(urls) : neverFilled(judge(urls)),
        {
          offset: from + start,
          length: url.length,
          ...(tagName === 'style' && { selector }),
        },
      );
    }
  }
  return places.sort((a, b) => a.offset - b.offset);
}

/** The CSS of an element as it is written, with its position in the source. */
function cssOf(element: Element, { html }: Page): { readonly css: string; readonly from: number } {
  const { startTag, endTag, attrs } = element.sourceCodeLocation ?? {};
  if (element.tagName === 'style' && startTag)
    return { css: html.slice(startTag.endOffset, endTag?.startOffset), from: startTag.endOffset };
  const style = attrs?.['style'];
  if (!style || !/url\(|image-set\(/i.test(attribute(element, 'style') ?? '')) return { css: '', from: 0 };
  const written = html.slice(style.startOffset, style.endOffset);
  const before = /^[^=]*=\s*["']?/.exec(written)?.[0].length ?? 0;
  return { css: written.slice(before).replace(/["']$/, ''), from: style.startOffset + before };
}

/** What an `<img>` or `<source>` is. @param byUrl what its URLs say; absent where it has none */
function verdictOf(
  element: Element,
  byUrl: Verdict | undefined,
  isScripted: (element: Element) => boolean,
  judge: (urls: readonly string[]) => Verdict,
): Verdict {
  if (byUrl && 'keep' in byUrl && byUrl.keep === 'template') return byUrl;
  const { attrs } = element;
  const image = element.tagName === 'source' ? imageOf(element) : element;
  // A picture whose image a script loads is loaded by it as a whole.
  const later = laterSource(element) ?? (image && laterSource(image));
  if (later && (isDirective(later) || isExpression(later.value))) return { keep: 'template' };
  if (attribute(element, 'data-image-keep') !== undefined) return { keep: 'owner' };
  const [asked, filled] = [askedWords(element), attribute(element, filledAttribute)];
  if (asked !== '' && asked !== filled) return { fill: 'asked', words: '' };
  if (filled !== undefined) return { keep: 'owner' };
  // A lazy image shows its owner's as soon as it is seen.
  if (later || attrs.some((each) => isUrlInData(each) && 'keep' in judge([each.value])))
    return { keep: 'script' };
  if (byUrl) return byUrl;
  if (element.tagName === 'source') return { keep: 'owner' };
  if (attrs.some((each) => isDirective(each) || isExpression(each.value))) return { keep: 'template' };
  if (attrs.some((each) => each.name.startsWith('on') || isUrlInData(each)) || isScripted(element))
    return { keep: 'script' };
  if (around(element).some(isHidden)) return { keep: 'owner' };
  return telling(attribute(element, 'alt')) === '' ? { keep: 'unknown' } : { fill: 'empty', words: '' };
}

/** What a place of a kind that is never filled says in the report. */
const neverFilled = (verdict: Verdict): Verdict => ('fill' in verdict ? { keep: 'unknown' } : verdict);

/** An image is replaced when every URL of it is to be: a real one among them is its owner's. */
function judgeUrls(urls: readonly string[], replaceStock: boolean): Verdict {
  const judged = urls.map(judgeUrl);
  const isReplaced = (kind: string) =>
    /^(?:placeholder|invented)$/.test(kind) || (kind === 'stock' && replaceStock);
  const [first] = judged;
  if (judged.some(({ kind }) => kind === 'template')) return { keep: 'template' };
  if (first && 'words' in first && judged.every(({ kind }) => isReplaced(kind)))
    return { ...first, fill: first.kind };
  const isForeign = judged.every(({ kind }) => kind === 'foreign' || kind === 'stock');
  return { keep: isForeign && !urls.some(isOfService) ? 'unknown' : 'owner' };
}

const isOfService = (url: string) => /\/api\/image(?:[/?]|$)/.test(url);

/** The image that a URL of a service like ours names by its `pick`. */
export const pickIn = (url: string): string | undefined =>
  isOfService(url) ? /[?&](?:amp;)?pick=([\da-f]{20})(?![\da-z])/.exec(url)?.[1] : undefined;

/** The URLs of a `srcset`: what stands between a size, or a comma and a space, and the next one. */
const urlsOfSrcset = (srcset: string): string[] =>
  srcset
    .replace(/\s+/g, ' ')
    .split(/ [\d.]+[wxh] ?(?:,|$)|, |,$/)
    .map((url) => url.trim())
    .filter(Boolean);

/** Whether a `<meta>` of a name holds the image that stands for the page elsewhere. */
const isPreview = (name: string) =>
  /^(?:og:image(?::(?:url|secure_url))?|twitter:image(?::src)?)$/i.test(name);

/** What frames are called into which scripts put images. */
const isNamedForScripts = onceFor((element) =>
  /lightbox|modal|popup|preview|overlay|dialog|viewer|zoom/i.test(namesOf(element)),
);
const data = /json|importmap|speculationrules|text\/(?:html|template|x-)/i;

/** The text of an inline script; empty for other elements. */
function scriptText({ tagName, childNodes: [text] }: Element): string {
  return tagName === 'script' && text?.nodeName === '#text' ? (text as { value: string }).value : '';
}

/**
 * Reads the scripts of a page and its handlers, once for all of its images.
 * @returns whether a script may give an element another source
 */
function readScripts(page: Page): (element: Element) => boolean {
  const texts: string[] = [];
  let hasUnseen = false;
  for (const element of page.elements) {
    const isScript = element.tagName === 'script' && !data.test(attribute(element, 'type') ?? '');
    if (isScript) texts.push(scriptText(element));
    hasUnseen ||= isScript && attribute(element, 'src') !== undefined;
    for (const { name, value } of element.attrs)
      if (name.startsWith('on') || /^\s*javascript:/i.test(value)) texts.push(value);
  }
  const setting = texts.filter((text) => /\bsrc(?:set)?\b|createObjectURL/.test(text));
  const setsAll = setting.some((text) => /["'`](?:[^"'`\n]*[\s>+~,])?img\b|document\.images/.test(text));
  const words = new Set(texts.flatMap((text) => text.match(/[\w-]+/g) ?? []));
  const isMentioned = onceFor((element) =>
    ['id', 'name', 'class']
      .flatMap((name) => attribute(element, name)?.split(/\s+/) ?? [])
      // `preview-b` is mentioned by `'preview-' + letter`.
      .flatMap((each) => [each, each.replace(/\d+$/, ''), /^.{1,60}[-_]/.exec(each)?.[0] ?? each])
      .some((each) => words.has(each)),
  );
  const isFrame = ({ tagName }: Element) => !/^(?:html|body|main)$/.test(tagName);
  return (element) =>
    setsAll ||
    isMentioned(element) ||
    // A script that is not on the page may do what it likes with an element that has a name for it, or stands in a frame.
    (hasUnseen && (attribute(element, 'id') !== undefined || around(element, 4).some(isNamedForScripts))) ||
    (setting.length > 0 && around(element, 8).filter(isFrame).some(isMentioned));
}
