/** Reads what is special in the API of Wikimedia Commons: errors, HTML, categories and widths of files. */

import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { parseJson } from '../../base/parse';
import { coverScale } from '../../images/image';
import type { Size } from '../../requests/rendition';
import type { ProviderFailureKind } from '../stock-provider';
import type { UncheckedDescription } from './wire/description';
import type { TextResponse } from './wire/fetch-json';
import { cleanText, readObject } from './wire/fields';

/** The only widths of copies (https://www.mediawiki.org/wiki/Common_thumbnail_sizes), in pixels. */
const steps = [20, 40, 60, 120, 250, 330, 500, 960, 1280, 1920, 3840] as const;
/** The step that a search asks for. The URLs of the other steps differ only in the number. */
export const searchedStep = 1920;
/**
 * Chooses the URL of the smallest copy that covers a size. Copies are narrower than the original. If no copy
 * covers the size, the URL of the original is returned.
 * @param thumbUrl the API's URL for `searchedStep`, or for the original if that is narrower
 */
export function chooseStepUrl(
  original: Size & { readonly url: string },
  thumbUrl: string | undefined,
  size: Size,
): string {
  const widthPx = Math.ceil(original.widthPx * coverScale(original, size));
  const step = steps.find((stepPx) => stepPx >= widthPx);
  if (step === undefined || step >= original.widthPx || thumbUrl === undefined) return original.url;
  const segment = /\/\d+px-(?=[^/]*$)/;
  const { origin, pathname, search } = new URL(thumbUrl);
  if (!segment.test(pathname)) return step <= searchedStep ? thumbUrl : original.url;
  return `${origin}${pathname.replace(segment, `/${step}px-`)}${search}`;
}

/** Categories about the administration of a file, not about its subject: 60 % of all categories. */
const maintenance =
  /^(?:CC-|GFDL|PD[- ]|Self-published)|\b(?:licen[sc]es?|files?|pages?|images?|media|uploaded|wikidata|templates?|commons|coordinates|panoramio|project|taken (?:on|with)|metadata|copyright|review|uncategori[sz]ed|featured|quality|valued|photographs by)\b/i;
const assessed = /\b(?:featured|quality|valued) (?:pictures|images)\b/i;

/** Reads the subjects of a file from its categories. A file that the project has awarded is featured. */
export function readCategories(
  categories: readonly string[],
): Pick<UncheckedDescription, 'tags' | 'isFeatured'> {
  return {
    tags: categories.filter((category) => !maintenance.test(category)),
    isFeatured: categories.some((category) => assessed.test(category)),
  };
}

/** Reads the failure in a reply with status 200 (https://www.mediawiki.org/wiki/API:Errors_and_warnings). */
export function readFailure({ status, body }: TextResponse): ProviderFailureKind | undefined {
  const code = cleanText(readObject(status === 200 ? parseJson(body) : undefined, 'error')['code']);
  if (code === undefined) return undefined;
  if (/ratelimit|maxlag|too-busy/.test(code)) return 'throttled';
  return /^internal_api|backend|readonly|timeout/.test(code) ? 'unavailable' : 'rejected';
}

/** Longest HTML that is parsed, in characters. A name or a licence has a few hundred. */
const htmlCharactersMax = 20_000;
/** Elements that do not separate words, such as `<b>`. */
const inline = /^(?:a|b|bdi|em|i|small|span|strong|sub|sup)$/;

/** Reads the visible text of the first 20,000 characters of HTML, with white space collapsed. */
export function htmlToText(html: string): string {
  const visibleTexts: string[] = [];
  // This is a loop, because elements may be nested deeper than the call stack allows.
  const nodes: (DefaultTreeAdapterTypes.Node | string)[] = [parseFragment(html.slice(0, htmlCharactersMax))];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (typeof node === 'string') visibleTexts.push(node);
    else if ('value' in node) visibleTexts.push(node.value);
    else if ('childNodes' in node) {
      const edge = inline.test(node.nodeName) ? '' : ' ';
      nodes.push(edge, ...(isVisible(node) ? node.childNodes.toReversed() : []), edge);
    }
  }
  return visibleTexts.join('').replace(/\s+/g, ' ').trim();
}

function isVisible(node: DefaultTreeAdapterTypes.ParentNode): boolean {
  const style = 'attrs' in node ? node.attrs.find(({ name }) => name === 'style')?.value : undefined;
  return !/^(?:script|style)$/.test(node.nodeName) && !/display\s*:\s*none/i.test(style ?? '');
}
