/** The command `lint`. It finds what is wrong with the images of pages, and which credits are missing. */

import { parseArgs } from 'node:util';
import { isSigned } from '../image-url';
import { type ImagePlace, listRows } from '../pages/fill';
import { judgeHtml } from '../pages/fill-html';
import { findTextKind, findTextPlaces, isHtmlFile } from '../pages/fill-text';
import type { FillOptions } from '../pages/find-images';
import type { HtmlPlace } from '../pages/html-places';
import { judgeUrl } from '../pages/judge-url';
import { type Element, findAttr, readAttr } from '../pages/page';
import { blankCode } from '../pages/text-urls';
import type { FileRow } from './inputs';
import { createGoneCheck, flagOption, readBase, readFiles, textOption, UsageError } from './inputs';
import { findMissingCredits } from './missing-credits';

/** Prints the findings in files. @returns the exit code: 1 if there are findings */
export async function lint(args: readonly string[]): Promise<number> {
  const options = { format: textOption, json: flagOption, check: flagOption };
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  const { format, json } = values;
  if (format !== undefined && format !== 'github') throw new UsageError('--format takes github.');
  const lintOptions = values.check ? { isGone: createGoneCheck() } : {};
  const texts = new Map<string, string>();
  const rows = await readFiles(positionals, async (file, content) => {
    const faults = await lintFile(content, file, lintOptions, Date.now());
    texts.set(file, content);
    return faults;
  });
  const findings = rows.map((row): FileRow => ({ rule: 'unread', ...row }));
  if (process.env['IMAGE_REDIRECT_URL'])
    for (const row of await findMissingCredits(texts, readBase()))
      findings.push({ rule: 'missing-credit', ...row });
  else if ([...texts.values()].some((content) => /\/api\/image[/?]/.test(content)))
    process.stderr.write('Credits are not checked: set IMAGE_REDIRECT_URL to the root of the service.\n');
  findings.sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
  // A workflow command of GitHub takes no line breaks and no bare percent signs, its properties no `,` and `:`.
  const escapeForGithub = (part: string, signs: RegExp) => part.replace(signs, encodeURIComponent);
  const lines = findings.map(({ file, line, rule, note = '' }) =>
    format === 'github'
      ? `::error file=${escapeForGithub(file, /[%\r\n,:]/g)},line=${line},title=${rule}::${escapeForGithub(note, /[%\r\n]/g)}\n`
      : `${file}:${line}  ${rule}  ${note}\n`,
  );
  const total = `${findings.length || 'No'} problem${findings.length === 1 ? '' : 's'}.\n`;
  const report = lines.join('') + (format ? '' : total);
  process.stdout.write(json ? `${JSON.stringify(findings, null, 2)}\n` : report);
  return findings.length === 0 ? 0 : 1;
}

const noHotlinks =
  /^(?:https?:)?\/\/(?:[\w-]{1,63}\.){0,9}(?:pixabay\.com|freepik\.com|shutterstock\.com|istockphoto\.com|gettyimages\.[a-z.]+|alamy\.com|dreamstime\.com|pinimg\.com)\//i;
const anyImage =
  /(?:https?:)?\\?\/\\?\/[^\s"'`<>()]*(?:\.(?:jpe?g|png|gif|webp|avif)(?![\w-])|\/api\\?\/image[/?][^\s"'`<>()]*)/gi;

/** Finds the faults of a file. @param name its ending says how it is read */
export async function lintFile(
  text: string,
  name: string,
  options: Pick<FillOptions, 'isGone'>,
  nowMs: number,
): Promise<readonly Omit<FileRow, 'file'>[]> {
  const places = isHtmlFile(name) ? (await judgeHtml(text, options)).places : findUrlPlaces(text, name);
  return listRows(text, places).flatMap((row, index) =>
    [...findFaults(places[index] as ImagePlace, nowMs)].map(([rule, note]) => ({ ...row, rule, note })),
  );
}

/** Finds the placeholders in a source, and all URLs of images that are not in comments or shown code. */
function findUrlPlaces(text: string, name: string): readonly ImagePlace[] {
  const imageUrls = [...blankCode(text, findTextKind(name) ?? 'script').matchAll(anyImage)].map(
    ({ 0: url, index: start }) => ({ start, urls: [url.replaceAll('\\/', '/')], reason: 'unknown' }) as const,
  );
  return [...findTextPlaces(text, name), ...imageUrls];
}

function* findFaults(
  { kind, element, urls: [url = ''], reason }: ImagePlace & Partial<HtmlPlace>,
  nowMs: number,
): Generator<readonly [rule: string, note: string]> {
  if (reason === 'code') return;
  const shownUrl = url.length > 80 ? `${url.slice(0, 79)}…` : url;
  const isOther = kind === 'other' && reason !== 'link' && judgeUrl(url).reason === 'placeholder';
  if (reason === 'invented') yield ['invented-url', `${shownUrl} is no photo.`];
  if (reason === 'empty') yield ['dead-url', 'The image has no URL.'];
  if (reason === 'missing') yield ['dead-url', `${shownUrl} does not load.`];
  if (reason === 'placeholder' || isOther)
    yield ['dead-url', `${shownUrl} is a placeholder or a service that is gone.`];
  // A link shows no image, and a program completes the URL of a template.
  if (reason !== 'link' && reason !== 'template') {
    const endMs = parseEndMs(url);
    if (noHotlinks.test(url))
      yield ['hotlink', `${shownUrl}: its provider forbids that pages link to its files.`];
    if (endMs < nowMs) yield ['expired-url', `${shownUrl} ended on ${new Date(endMs).toISOString()}.`];
  }
  if (kind !== 'img' || !element) return;
  if (findAttr(element, 'alt') === undefined)
    yield ['missing-alt', 'The image has no alt text; an empty one says that it is decoration.'];
  if (!hasSize(element))
    yield ['missing-dimensions', 'The image has no width and height, so the page shifts when it loads.'];
}

/** Reads when a signed URL of the service ends; `Infinity` for never. `&` may be written as `&amp;`. */
function parseEndMs(url: string): number {
  const expires = isSigned(url.replaceAll('&amp;', '&')) && /[?&;]expires=(\d+)/.exec(url)?.[1];
  return expires ? Number(expires) * 1_000 : Infinity;
}

/** Returns true if an image keeps its place before it loads: by attributes, its style or a utility class. */
const hasSize = (element: Element): boolean =>
  (Number(readAttr(element, 'width')) > 0 && Number(readAttr(element, 'height')) > 0) ||
  /aspect-ratio|(?:^|[;\s])height\s*:\s*\d/.test(readAttr(element, 'style')) ||
  /(?:^|\s)(?:aspect-|size-\d|h-(?:\d|\[|full|screen))/.test(readAttr(element, 'class'));
