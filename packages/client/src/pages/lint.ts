/** Finds what is wrong with the images of a page or a source, without changing it, by the lists of `fill`. */

import type { FilledImage } from '../service';
import { lineCounter } from './edits';
import { keptRow, reportOf } from './fill';
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
/** URLs of image files, and those that the service signs. */
const anyImage =
  /(?:https?:)?\\?\/\\?\/[^\s"'`<>()]*(?:\.(?:jpe?g|png|gif|webp|avif)(?![\w-])|\/api\\?\/image[/?][^\s"'`<>()]*)/gi;

/** @param name of the file: its ending says how it is read @returns in its order @throws `PageTooLarge` */
export async function lintFile(
  text: string,
  name: string,
  options: LintOptions,
): Promise<readonly Finding[]> {
  const found = isHtml(name) ? await faultsInHtml(text, options) : faultsInText(text, name, options.nowMs);
  return found.flatMap(([row, faults]) =>
    [...faults].map(([rule, message]): Finding => ({ ...row, rule, message })),
  );
}

type Fault = readonly [rule: Finding['rule'], message: string];
type Faults = readonly (readonly [row: FilledImage, faults: Iterable<Fault>])[];

async function faultsInHtml(html: string, { nowMs, isGone }: LintOptions): Promise<Faults> {
  const { places } = await judgeHtml(html, isGone ? { isGone } : {});
  const rows = reportOf(html, places);
  return places.map((place, index) => [rows[index] as FilledImage, faultsOf(place, nowMs)] as const);
}

function faultsInText(text: string, name: string, nowMs: number): Faults {
  const placeholders = reportOf(text, textPlaces(text, name)).flatMap((row) =>
    row.outcome === 'kept' ? [] : [[row, [deadUrl(row.was)]] as const],
  );
  const lineAt = lineCounter(text);
  const run = withoutCode(text, kindOf(name) ?? 'script');
  const others = [...run.matchAll(anyImage)].map(({ 0: written, index }) => {
    const url = written.replaceAll('\\/', '/');
    return [keptRow(lineAt(index), url, 'unknown'), faultsOfUrl(url, nowMs)] as const;
  });
  return [...placeholders, ...others].sort(([a], [b]) => a.line - b.line);
}

const shortened = (url: string) => (url.length > 80 ? `${url.slice(0, 79)}…` : url);
const deadUrl = (url: string): Fault => [
  'dead-url',
  `${shortened(url)} is a placeholder or a service that is gone.`,
];

function* faultsOf({ kind, element, urls: [url = ''], reason }: HtmlPlace, nowMs: number): Generator<Fault> {
  if (reason === 'code') return;
  const isOther = kind === 'other' && reason !== 'link' && judgeUrl(url).kind === 'placeholder';
  if (reason === 'invented') yield ['invented-url', `${shortened(url)} is no photo.`];
  if (reason === 'empty') yield ['dead-url', 'The image has no URL.'];
  if (reason === 'missing') yield ['dead-url', `${shortened(url)} does not load.`];
  if (reason === 'placeholder' || isOther) yield deadUrl(url);
  if (!/^(?:link|template)$/.test(reason)) yield* faultsOfUrl(url, nowMs);
  if (kind !== 'img') return;
  if (attribute(element, 'alt') === undefined)
    yield ['missing-alt', 'The image has no alt text; an empty one says that it is decoration.'];
  const isSized =
    (Number(said(element, 'width')) > 0 && Number(said(element, 'height')) > 0) ||
    /aspect-ratio|(?:^|[;\s])height\s*:\s*\d/.test(said(element, 'style')) ||
    /(?:^|\s)(?:aspect-|size-\d|h-(?:\d|\[|full|screen))/.test(said(element, 'class'));
  if (!isSized)
    yield ['missing-dimensions', 'The image has no width and height, so the page shifts when it loads.'];
}

function* faultsOfUrl(url: string, nowMs: number): Generator<Fault> {
  const expires = Number(/[?&;]expires=(\d+)/.exec(url)?.[1]) * 1_000;
  if (noHotlinks.test(url))
    yield ['hotlink', `${shortened(url)}: its provider forbids that pages link to its files.`];
  else if (expires < nowMs)
    yield ['expired-url', `${shortened(url)} ended on ${new Date(expires).toISOString()}.`];
}
