/** Finds what is wrong with the images of a page or a source, without changing it, by the lists of `fill`. */

import type { FilledImage } from '../service';
import { type FillOptions, type Place, reportOf } from './fill';
import { judgeHtml } from './fill-html';
import { isHtml, kindOf, textPlaces } from './fill-text';
import type { HtmlPlace } from './html-places';
import { judgeUrl } from './judge-url';
import { attribute, said } from './page';
import { withoutCode } from './text-urls';

/** What is wrong with an image: the row that `fill` would write, and the rule. */
export interface Finding extends FilledImage {
  readonly rule:
    | 'invented-url'
    | 'dead-url'
    | 'hotlink'
    | 'missing-alt'
    | 'missing-dimensions'
    | 'expired-url'
    | 'missing-credit'
    | 'unread';
  readonly message: string;
}

/** Hosts whose terms forbid that pages of others show their files. */
const noHotlinks =
  /^(?:https?:)?\/\/(?:[\w-]{1,63}\.){0,9}(?:pixabay\.com|freepik\.com|shutterstock\.com|istockphoto\.com|gettyimages\.[a-z.]+|alamy\.com|dreamstime\.com|pinimg\.com)\//i;
/** URLs of image files, and those that the service signs. */
const anyImage =
  /(?:https?:)?\\?\/\\?\/[^\s"'`<>()]*(?:\.(?:jpe?g|png|gif|webp|avif)(?![\w-])|\/api\\?\/image[/?][^\s"'`<>()]*)/gi;

/**
 * @param name of the file: its ending says how it is read
 * @param options without `isGone` no URL is loaded
 * @param nowMs milliseconds since the epoch, for URLs that end
 * @returns in its order
 * @throws `PageTooLarge`
 */
export async function lintFile(
  text: string,
  name: string,
  options: Pick<FillOptions, 'isGone'>,
  nowMs: number,
): Promise<readonly Finding[]> {
  const places = isHtml(name) ? (await judgeHtml(text, options)).places : anyPlaces(text, name);
  const rows = reportOf(text, places);
  const found = places.flatMap((place, index) =>
    [...faultsOf(place, nowMs)].map(([rule, message]) => ({
      ...(rows[index] as FilledImage),
      rule,
      message,
    })),
  );
  return found.sort((a, b) => a.line - b.line);
}

/** The placeholders of a source, and all other URLs of images that no program passes over. */
function anyPlaces(text: string, name: string): readonly Place[] {
  const others = [...withoutCode(text, kindOf(name) ?? 'script').matchAll(anyImage)].map(
    ({ 0: url, index: start }) => ({ start, urls: [url.replaceAll('\\/', '/')], reason: 'unknown' }) as const,
  );
  return [...textPlaces(text, name), ...others];
}

const shortened = (url: string) => (url.length > 80 ? `${url.slice(0, 79)}…` : url);

function* faultsOf(
  { kind, element, urls: [url = ''], reason }: Place & Partial<HtmlPlace>,
  nowMs: number,
): Generator<readonly [rule: Finding['rule'], message: string]> {
  if (reason === 'code') return;
  const isOther = kind === 'other' && reason !== 'link' && judgeUrl(url).reason === 'placeholder';
  if (reason === 'invented') yield ['invented-url', `${shortened(url)} is no photo.`];
  if (reason === 'empty') yield ['dead-url', 'The image has no URL.'];
  if (reason === 'missing') yield ['dead-url', `${shortened(url)} does not load.`];
  if (reason === 'placeholder' || isOther)
    yield ['dead-url', `${shortened(url)} is a placeholder or a service that is gone.`];
  const expiresMs = Number(/[?&;]expires=(\d+)/.exec(url)?.[1]) * 1_000;
  const isOwned = /^(?:link|template)$/.test(reason);
  if (!isOwned && noHotlinks.test(url))
    yield ['hotlink', `${shortened(url)}: its provider forbids that pages link to its files.`];
  else if (!isOwned && expiresMs < nowMs)
    yield ['expired-url', `${shortened(url)} ended on ${new Date(expiresMs).toISOString()}.`];
  if (kind !== 'img' || !element) return;
  if (attribute(element, 'alt') === undefined)
    yield ['missing-alt', 'The image has no alt text; an empty one says that it is decoration.'];
  const isSized =
    (Number(said(element, 'width')) > 0 && Number(said(element, 'height')) > 0) ||
    /aspect-ratio|(?:^|[;\s])height\s*:\s*\d/.test(said(element, 'style')) ||
    /(?:^|\s)(?:aspect-|size-\d|h-(?:\d|\[|full|screen))/.test(said(element, 'class'));
  if (!isSized)
    yield ['missing-dimensions', 'The image has no width and height, so the page shifts when it loads.'];
}
