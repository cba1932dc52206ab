/** The URLs of images in CSS, each with where it stands and what it belongs to. */

import { withoutCode } from './text-urls';

/** A URL in CSS. */
export interface CssUrl {
  /** As it is written. */
  readonly url: string;
  /** Position in the text. */
  readonly start: number;
  /** Property in lower case that holds it; empty where that is not known. */
  readonly property: string;
  /** Selector of the rule, with single spaces; empty for the content of a `style` attribute. */
  readonly selector: string;
}

/** What `url()` holds, the URLs of images as texts, as `image-set()` takes them, and where rules begin and end. */
const imageUrl =
  /\burl\(\s*(?:"([^"\n]*)"|'([^'\n]*)'|([^"'()\s]+))\s*\)|["']((?:https?:)?\/\/[^"'\s]+|[^"'\s]+\.(?:png|jpe?g|webp|avif|gif|svg))["']|[{}]/dgi;
/** How much is looked at before a URL for what it belongs to. */
const beforeMax = 300;

/** @param css of a `<style>` or of a `style` attribute, in which quotes may be character references */
export function cssUrls(css: string): CssUrl[] {
  // Of the same length, so that positions stay.
  const quoted = css
    .replace(/&(?:quot|#34);/g, (reference) => '"'.padStart(reference.length))
    .replace(/&(?:apos|#39);/g, (reference) => "'".padStart(reference.length));
  const plain = withoutCode(quoted, 'style');
  let selector = '';
  return [...plain.matchAll(imageUrl)].flatMap(({ 0: whole, indices = [], index }) => {
    const before = plain.slice(Math.max(0, index - beforeMax), index);
    if (whole === '{' || whole === '}') {
      // The innermost rule that is open: one within @media is the same as without.
      selector = whole === '{' ? (/[^{};]*$/.exec(before)?.[0] ?? '').replace(/\s+/g, ' ').trim() : '';
      return [];
    }
    const [from, end] = indices.slice(1).find(Boolean) ?? [index, index];
    const url = plain.slice(from, end).trim();
    const start = plain.indexOf(url, from);
    const property = /(?:^|[;{}])\s*([\w-]+)\s*:[^;{}]*$/.exec(before)?.[1]?.toLowerCase() ?? '';
    return url === '' ? [] : [{ url, start, property, selector }];
  });
}
