/** The images of a page: where each stands, and whether its owner has put it there or it is to be replaced. */

import { cssUrls } from './css-urls';
import type { ImagePlace, Verdict } from './image-place';
import { askedWords, imageOf } from './image-words';
import { judgeUrl } from './judge-url';
import { readScripts, scriptText } from './page-scripts';
import { PageTooLarge, pageLimits } from './page-work';
import { attribute, type Element, type Page, parentOf, startOf } from './read-page';
import { isExpression, telling } from './telling';
import { knownUrlsIn, shownRegions } from './text-urls';

/** Says that we have filled an element, and for which words. */
export const filledAttribute = 'data-image-filled';

/** Attributes by which a script gives an image its source later: `data-src`, `data-lazy-srcset`; of a template: `:src`. */
const isLaterSource = (name: string) => /src/i.test(name) && !/^src(?:set)?$/.test(name);
/** Names that only template languages and frameworks give to attributes. */
const isDirective = (name: string) =>
  /^(?:v-|x-|ng-|t-att|th:|uk-img|wire:|hx-|bind|use:|slot$)|[:@[\](){}#*.]/.test(name) &&
  !/^x(?:ml|link)/.test(name);
const isUrl = (text: string) =>
  /^(?:https?:)?\/\/|^\.{0,2}\/\S|\.(?:jpe?g|png|gif|webp|avif|svg)(?:[?#]|$)/i.test(text.trim());

/**
 * @param replaceStock whether stock photos that may be real are to be replaced too
 * @returns in the order of the source
 * @throws `PageTooLarge`
 */
export function imagePlaces(page: Page, replaceStock: boolean): ImagePlace[] {
  const scripts = readScripts(page);
  const isRegion = shownRegions(page.html, 'html');
  const places: ImagePlace[] = [];
  const seen = new Set<number>();

  const add = (place: Omit<ImagePlace, 'offset' | 'verdict'>, verdict: Verdict, at?: number) => {
    const { element } = place;
    const offset = at ?? startOf(element);
    const isCode = page.standing.get(element)?.isCode || isRegion(startOf(element));
    places.push({ ...place, offset, verdict: isCode ? { keep: 'code' } : verdict });
    if (places.length > pageLimits.images)
      throw new PageTooLarge(`at most ${pageLimits.images.toLocaleString('en')} images`);
  };

  const judge = (urls: readonly string[]): Verdict => judgeUrls(urls, replaceStock);

  /** What an author asks for; `undefined` where nobody does, or where we have filled it for the same words. */
  const askedOf = (element: Element): Verdict | undefined => {
    if (attribute(element, 'data-image-keep') !== undefined) return { keep: 'owner' };
    const asked = askedWords(element);
    const filled = attribute(element, filledAttribute);
    if (asked === '') return filled === undefined ? undefined : { keep: 'owner' };
    return filled === asked ? { keep: 'owner' } : { fill: 'asked', words: '' };
  };

  const verdictOf = (element: Element): Verdict => {
    const srcset = attribute(element, 'srcset') ?? '';
    const src = (attribute(element, 'src') ?? '').trim();
    const isEmpty = /^#?$/.test(src) && srcset.trim() === '';
    const urls = [...(src === '' || element.tagName === 'source' ? [] : [src]), ...urlsOfSrcset(srcset)];
    const byUrl: Verdict = isEmpty ? { keep: 'unknown' } : judge(urls);
    if ('keep' in byUrl && byUrl.keep === 'template') return byUrl;
    const later = element.attrs.find(({ name }) => isLaterSource(name));
    if (later && (isDirective(later.name) || isExpression(later.value))) return { keep: 'template' };
    const asked = askedOf(element);
    if (asked) return asked;
    // A lazy image shows its owner's as soon as it is seen.
    if (later || element.attrs.some(isOwnersSource)) return { keep: 'script' };
    return isEmpty && element.tagName === 'img' ? verdictOfEmpty(element) : byUrl;
  };

  const isOwnersSource = ({ name, value }: Element['attrs'][number]) =>
    name.startsWith('data-') && isUrl(value) && 'keep' in judge([value]);

  const verdictOfEmpty = (element: Element): Verdict => {
    for (const { name, value } of element.attrs) {
      if (isDirective(name) || isExpression(value)) return { keep: 'template' };
      if (/^on/.test(name) || (name.startsWith('data-') && isUrl(value))) return { keep: 'script' };
    }
    if (page.standing.get(element)?.isHidden) return { keep: 'owner' };
    if (scripts.mentions(element) || scripts.setsSource(element)) return { keep: 'script' };
    return telling(attribute(element, 'alt')) === '' ? { keep: 'unknown' } : { fill: 'empty', words: '' };
  };

  const addCss = (element: Element, css: string, from: number, isRule: boolean) => {
    for (const { url, start, property, selector } of cssUrls(css)) {
      page.work.step();
      // A part of the page, a font, and what else is no image.
      if (url.startsWith('#') || /^(?:src|behavior|namespace)$/.test(property)) continue;
      const decoded = url.replace(/&amp;/g, '&');
      const isFilled = /^(?:background(?:-image)?|--[\w-]+)$/.test(property);
      const at = from + start;
      const place = {
        kind: isFilled ? 'css' : 'other',
        element,
        url: decoded,
        range: [at, at + url.length],
        ...(isRule ? { selector } : { attribute: 'style' }),
      } as const;
      add(place, isFilled ? judge([decoded]) : neverFilled(judge([decoded])), at);
    }
  };

  for (const element of page.elements) {
    page.work.step(1 + element.attrs.length);
    // A browser repeats some elements that are never closed.
    if (seen.has(startOf(element))) continue;
    seen.add(startOf(element));
    const { tagName } = element;
    const said = (name: string) => attribute(element, name);
    const other = (name: string, verdict = neverFilled) => {
      const url = said(name)?.trim();
      if (url) add({ kind: 'other', element, url, attribute: name }, verdict(judge([url])));
    };
    const link = (name: string) => {
      const url = said(name);
      if (url && 'fill' in judge([url]))
        add({ kind: 'other', element, url, attribute: name }, { keep: 'link' });
    };
    if (tagName === 'img') {
      const url = said('src')?.trim() || urlsOfSrcset(said('srcset') ?? '')[0] || '';
      const isScripted = scripts.setsSource(element);
      add({ kind: 'img', element, url, attribute: 'src', isScripted }, verdictOf(element));
    } else if (tagName === 'source' && parentOf(element)?.tagName === 'picture') {
      const [url = ''] = urlsOfSrcset(said('srcset') ?? '');
      // A picture whose image a script loads is loaded by it as a whole.
      const image = imageOf(element);
      const isLater = image?.attrs.some(({ name }) => isLaterSource(name)) === true;
      const verdict = verdictOf(element);
      add(
        { kind: 'source', element, url, attribute: 'srcset' },
        isLater && 'fill' in verdict ? { keep: 'script' } : verdict,
      );
    } else if (tagName === 'video' && said('poster')) {
      const url = said('poster') ?? '';
      add({ kind: 'poster', element, url, attribute: 'poster' }, judge([url]));
    } else if (tagName === 'image') {
      const name = said('xlink:href') === undefined ? 'href' : 'xlink:href';
      const url = said(name) ?? '';
      add({ kind: 'svg', element, url, attribute: name }, judge([url]));
    } else if (tagName === 'meta' && isPreview(element)) {
      const url = said('content') ?? '';
      add({ kind: 'preview', element, url, attribute: 'content' }, judge([url]));
    } else if (tagName === 'link') {
      const rel = said('rel') ?? '';
      const isPreload = /(?:^|\s)preload(?:\s|$)/i.test(rel) && /^image$/i.test(said('as') ?? '');
      const url = said('href') || urlsOfSrcset(said('imagesrcset') ?? '')[0] || '';
      // It is filled with the image that it loads early.
      if (isPreload) add({ kind: 'preload', element, url, attribute: 'href' }, neverFilled(judge([url])));
      else link('href');
    } else if (tagName === 'a' || tagName === 'area') link('href');
    else if (tagName === 'input' && /^image$/i.test(said('type') ?? '')) other('src');
    else if (tagName === 'object' && isUrl(said('data') ?? '')) other('data');
    else if (tagName === 'embed' && isUrl(said('src') ?? '')) other('src');
    else if (/^(?:body|table|thead|tbody|tfoot|tr|td|th)$/.test(tagName)) other('background');
    else if (tagName === 'script')
      for (const { url } of knownUrlsIn(scriptText(element) ?? ''))
        add({ kind: 'other', element, url }, { keep: 'script' });
    else if (tagName === 'style') {
      const { startTag, endTag } = element.sourceCodeLocation ?? {};
      const end = endTag?.startOffset ?? page.html.length;
      if (startTag) addCss(element, page.html.slice(startTag.endOffset, end), startTag.endOffset, true);
    }
    const style = element.sourceCodeLocation?.attrs?.['style'];
    if (style && /url\(|image-set\(/i.test(said('style') ?? '')) {
      // Without the name and the quotes of the attribute.
      const written = page.html.slice(style.startOffset, style.endOffset);
      const before = /^[^=]*=\s*["']?/.exec(written)?.[0].length ?? 0;
      const value = written.slice(before).replace(/["']$/, '');
      addCss(element, value, style.startOffset + before, false);
    }
  }
  return places.sort((a, b) => a.offset - b.offset);
}

/** What a place of a kind that is never filled says in the report. */
const neverFilled = (verdict: Verdict): Verdict => ('fill' in verdict ? { keep: 'unknown' } : verdict);

/** An image is replaced when every URL of it is to be: a real one among them is its owner's. */
function judgeUrls(urls: readonly string[], replaceStock: boolean): Verdict {
  const judged = urls.map(judgeUrl);
  const [first] = judged;
  if (!first) return { keep: 'owner' };
  if (judged.some(({ kind }) => kind === 'template')) return { keep: 'template' };
  const replaced = (kind: string) =>
    kind === 'placeholder' || kind === 'invented' || (kind === 'stock' && replaceStock);
  if (judged.every(({ kind }) => replaced(kind)) && 'words' in first) {
    const { kind, ...described } = first;
    return { fill: kind, ...described };
  }
  if (judged.some(({ kind }) => replaced(kind))) return { keep: 'owner' };
  const isForeign = first.kind === 'foreign' || first.kind === 'stock';
  return { keep: isForeign && !isOfService(urls[0] ?? '') ? 'unknown' : 'owner' };
}

const servicePath = /\/api\/image(?:[/?]|$)/;
const isOfService = (url: string) => servicePath.test(url);

/** The image that a URL of a service like ours names by its `pick`. */
export const pickIn = (url: string): string | undefined =>
  isOfService(url) ? /[?&](?:amp;)?pick=([\da-f]{20})(?![\da-z])/.exec(url)?.[1] : undefined;

/** The URLs of a `srcset`: each ends at a space, and the next one begins behind a comma that ends a part. */
export function urlsOfSrcset(srcset: string): string[] {
  const urls: string[] = [];
  let isUrl = true;
  for (const [part] of srcset.matchAll(/\S+/g)) {
    let start: number = isUrl ? 0 : part.indexOf(',') + 1;
    let end: number = part.length;
    if (!isUrl && start === 0) continue;
    while (part[start] === ',') start += 1;
    while (end > start && part[end - 1] === ',') end -= 1;
    if (end > start) urls.push(part.slice(start, end));
    isUrl = end <= start || end < part.length;
  }
  return urls;
}

/** Whether a `<meta>` names the image that stands for the page elsewhere. */
function isPreview(element: Element): boolean {
  const name = attribute(element, 'property') ?? attribute(element, 'name') ?? '';
  return /^(?:og:image(?::(?:url|secure_url))?|twitter:image(?::src)?)$/i.test(name);
}
