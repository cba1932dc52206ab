/** The places of a page at which an image URL stands, or should stand. */

import { attribute, type Element, type PageDocument, parentOf } from './document';

/** A place that shows an image, or would. */
export interface ImagePlace {
  readonly kind: 'img' | 'source' | 'poster' | 'svg' | 'meta' | 'background';
  readonly element: Element;
  /** The URL, decoded; empty where there is none. */
  readonly url: string;
  /** Attribute that holds it. */
  readonly attribute: string;
  /** Where the URL stands in the source, for a `background` only. */
  readonly range?: readonly [start: number, end: number];
  /** Selector of the rule that it stands in, for a `<style>` only. */
  readonly selector?: string;
}

/** Attributes by which a script or a template gives an image its URL later. */
const givenLater =
  /^(?:data-(?:lazy-|original-)?(?:src|srcset|original)|data-lazy|(?:v-bind|x-bind|ng-attr)?:?:(?:src|srcset)|\[(?:src|srcset)\]|ng-src|sveltekit:src)$/;

/** All of them, in the order of the source; an element's own image before a background. */
export function imagePlaces({ html, elements }: PageDocument): ImagePlace[] {
  return elements.flatMap((element): ImagePlace[] => {
    const places: ImagePlace[] = [];
    const add = (kind: ImagePlace['kind'], name: string, url = attribute(element, name)) => {
      if (url !== undefined) places.push({ kind, element, url, attribute: name });
    };
    const isSvg = element.namespaceURI.endsWith('/svg');
    if (element.tagName === 'img' && !element.attrs.some(({ name }) => givenLater.test(name))) {
      const isEmpty = attribute(element, 'src') === undefined && attribute(element, 'srcset') !== undefined;
      if (!isEmpty) add('img', 'src', attribute(element, 'src') ?? '');
    } else if (element.tagName === 'source' && parentOf(element)?.tagName === 'picture') {
      add('source', 'srcset', (attribute(element, 'srcset') ?? '').trim().split(/\s/)[0]);
    } else if (element.tagName === 'video') add('poster', 'poster');
    else if (element.tagName === 'image' && isSvg)
      add('svg', attribute(element, 'xlink:href') === undefined ? 'href' : 'xlink:href');
    else if (element.tagName === 'meta' && isPreview(element)) add('meta', 'content');
    else if (element.tagName === 'style' && !isSvg) {
      const { startTag, endTag } = element.sourceCodeLocation ?? {};
      const end = endTag?.startOffset ?? html.length;
      if (startTag) places.push(...backgrounds(html, element, startTag.endOffset, end));
    }
    const style = element.sourceCodeLocation?.attrs?.['style'];
    if (style && places.length === 0)
      places.push(...backgrounds(html, element, style.startOffset, style.endOffset));
    return places;
  });
}

/** Whether a `<meta>` names the image that stands for the page elsewhere. */
function isPreview(element: Element): boolean {
  const name = attribute(element, 'property') ?? attribute(element, 'name') ?? '';
  return /^(?:og:image(?::(?:url|secure_url))?|twitter:image(?::src)?)$/i.test(name);
}

/** A URL may hold the characters that end a declaration. */
const declarationEnd = /(?:url\([^)]{0,4000}\)|u(?!rl\()|[^;{}u])*/iy;

function selectorBefore(css: string, index: number): string {
  const brace = css.lastIndexOf('{', index);
  const end = Math.max(css.lastIndexOf('}', brace), css.lastIndexOf('{', brace - 1));
  return brace < 0
    ? ''
    : css
        .slice(end + 1, brace)
        .trim()
        .slice(0, 200);
}

/** `background` and `background-image` of CSS, each URL with its position. */
function backgrounds(html: string, element: Element, from: number, to: number): ImagePlace[] {
  const css = html.slice(from, to);
  const isRule = element.tagName === 'style';
  // Comments keep their length, so that positions stay.
  const plain = css.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, (comment) => ' '.repeat(comment.length));
  const places: ImagePlace[] = [];
  for (const declaration of plain.matchAll(/(?<![\w-])background(?:-image)?\s*:/gi)) {
    const start = declaration.index + declaration[0].length;
    declarationEnd.lastIndex = start;
    const value = declarationEnd.exec(plain)?.[0] ?? '';
    for (const match of value.matchAll(/url\(([^()]*)\)/gi)) {
      const inner = (match[1] as string).trim();
      const quote = /^(?:&quot;|&#3[49];|["'])/.exec(inner)?.[0] ?? '';
      const isQuoted = quote !== '' && inner.endsWith(quote) && inner.length >= 2 * quote.length;
      const raw = isQuoted ? inner.slice(quote.length, -quote.length) : inner;
      const begin = from + start + match.index + match[0].indexOf(raw, isQuoted ? 4 + quote.length : 4);
      places.push({
        kind: 'background',
        element,
        url: isRule ? raw : raw.replace(/&amp;/g, '&'),
        attribute: 'style',
        range: [begin, begin + raw.length],
        ...(isRule && { selector: selectorBefore(plain, declaration.index) }),
      });
    }
  }
  return places;
}
