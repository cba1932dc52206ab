/** Finds what is wrong with the images of a page or a source, without changing it, by the lists of `fill`. */

import type { FilledImage } from '../service';
import { judgeHtml, keptRow } from './fill-html';
import { fillText, kindOf } from './fill-text';
import type { ImagePlace } from './image-place';
import { judgeUrl } from './judge-url';
import { attribute, lineCounter } from './read-page';
import { shownRegions } from './text-urls';

/** What is wrong with an image: the row that `fill` would write, and the rule. */
export interface Finding extends FilledImage {
  readonly rule:
    | 'invented-url'
    | 'dead-url'
    | 'hotlink'
    | 'missing-alt'
    | 'missing-dimensions'
    | 'stretched'
    | 'expired-url'
    | 'missing-credit'
    | 'unread';
  readonly message: string;
}

/** What lint may look at beside the page. */
export interface LintOptions {
  /** Whether a URL is gone; without it no URL is loaded. */
  readonly isGone?: (url: string) => Promise<boolean>;
  /** Milliseconds since the epoch, for URLs that end. */
  readonly nowMs: number;
}

/** Hosts whose terms forbid that pages of others show their files. */
const noHotlinks =
  /^(?:https?:)?\/\/(?:[\w-]{1,63}\.){0,9}(?:pixabay\.com|freepik\.com|shutterstock\.com|istockphoto\.com|gettyimages\.[a-z.]+|alamy\.com|dreamstime\.com|pinimg\.com)\//i;

const shortened = (url: string) => (url.length > 80 ? `${url.slice(0, 79)}…` : url);

/** In the order of the page. @throws `PageTooLarge` */
export async function lintHtml(html: string, { isGone, nowMs }: LintOptions): Promise<readonly Finding[]> {
  const { rows } = await judgeHtml(html, isGone ? { isGone } : {});
  return [...rows].flatMap(([place, row]) => {
    const found = [...urlFindings(place, nowMs), ...(place.kind === 'img' ? imageFindings(place) : [])];
    return found.map(([rule, message]) => ({ ...row, rule, message }));
  });
}

/** The URLs of images of a source that are placeholders, forbidden or over, in its order. */
export async function lintText(
  text: string,
  name: string,
  { nowMs }: Pick<LintOptions, 'nowMs'>,
): Promise<readonly Finding[]> {
  const { report } = await fillText(text, name, undefined);
  const findings = report
    .filter(({ outcome }) => outcome !== 'kept')
    .map((row): Finding => ({ ...row, rule: 'dead-url', message: placeholderText(row.was) }));
  const isShownAsCode = shownRegions(text, kindOf(name) ?? 'script');
  const lineAt = lineCounter(text);
  for (const { 0: written, index } of text.matchAll(anyImage)) {
    const url = written.replaceAll('\\/', '/');
    if (isShownAsCode(index)) continue;
    for (const [rule, message] of [...forbidden(url), ...over(url, nowMs)])
      findings.push({ ...keptRow(lineAt(index), url, 'unknown'), rule, message });
  }
  return findings.sort((a, b) => a.line - b.line);
}

/** URLs of image files, and those that the service signs. */
const anyImage =
  /(?:https?:)?\\?\/\\?\/[^\s"'`<>()]*(?:\.(?:jpe?g|png|gif|webp|avif)(?![\w-])|\/api\\?\/image[/?][^\s"'`<>()]*)/gi;

const placeholderText = (url: string) => `${shortened(url)} is a placeholder or a service that is gone.`;

function* urlFindings(
  { kind, urls: [url = ''], verdict }: ImagePlace,
  nowMs: number,
): Generator<readonly [Finding['rule'], string]> {
  if ('keep' in verdict && /^(?:code|link|template)$/.test(verdict.keep)) return;
  const fill = 'fill' in verdict ? verdict.fill : undefined;
  if (fill === 'invented') yield ['invented-url', `${shortened(url)} is no photo.`];
  else if (fill === 'empty') yield ['dead-url', 'The image has no URL.'];
  else if (fill === 'missing') yield ['dead-url', `${shortened(url)} does not load.`];
  else if (fill === 'placeholder' || (kind === 'other' && judgeUrl(url).kind === 'placeholder'))
    yield ['dead-url', placeholderText(url)];
  yield* forbidden(url);
  yield* over(url, nowMs);
}

function* forbidden(url: string): Generator<readonly [Finding['rule'], string]> {
  if (noHotlinks.test(url))
    yield ['hotlink', `${shortened(url)}: its provider forbids that pages link to its files.`];
}

function* over(url: string, nowMs: number): Generator<readonly [Finding['rule'], string]> {
  const expires = Number(/[?&;]expires=(\d+)/.exec(url)?.[1]);
  if (expires * 1_000 < nowMs)
    yield ['expired-url', `${shortened(url)} ended on ${new Date(expires * 1_000).toISOString()}.`];
}

function* imageFindings({
  element,
  urls: [url = ''],
  verdict,
}: ImagePlace): Generator<readonly [Finding['rule'], string]> {
  if ('keep' in verdict && verdict.keep === 'code') return;
  const said = (name: string) => attribute(element, name);
  const style = said('style') ?? '';
  const classes = said('class') ?? '';
  if (said('alt') === undefined)
    yield ['missing-alt', 'The image has no alt text; an empty one says that it is decoration.'];
  const [width, height] = [Number(said('width')), Number(said('height'))];
  const isSized =
    (width > 0 && height > 0) ||
    /aspect-ratio|(?:^|[;\s])height\s*:\s*\d/.test(style) ||
    /(?:^|\s)(?:aspect-|size-\d|h-(?:\d|\[|full|screen))/.test(classes);
  if (!isSized)
    yield ['missing-dimensions', 'The image has no width and height, so the page shifts when it loads.'];
  const [w, h] = [/[?&]width=(\d+)/, /[?&]height=(\d+)/].map((name) => Number(name.exec(url)?.[1]));
  const isCropped = /object-fit|object-(?:cover|contain)/.test(`${style} ${classes}`);
  if (
    width &&
    height &&
    w &&
    h &&
    !isCropped &&
    Math.abs((width * h) / (height * w) - 1) > 0.05 &&
    // A rounded side explains a pixel.
    Math.abs((width * h) / w - height) > 1
  )
    yield ['stretched', `The image is ${w} × ${h} pixels and is shown as ${width} × ${height}.`];
}
