/** Finds the credits of the service's images that the pages of a site lack. */

import { basename } from 'node:path';
import { fetchRecordAt } from '../fetch-records';
import { dueCredit, lineCounter } from '../pages/edits';
import { keptRow, runInFours } from '../pages/fill';
import { isHtml } from '../pages/fill-text';
import { linesBelow, memoize, readPage } from '../pages/page';
import { apiKeyFor, type FileRow } from './inputs';
import { findServiceUrls } from './service-urls';

/** Asks for the credit of each image once, whatever its sizes. @param files their texts by their paths */
export async function missingCredits(files: ReadonlyMap<string, string>, base: string): Promise<FileRow[]> {
  const pages = [...files].filter(([file]) => isHtml(file));
  // A page is read for its texts where a credit is due, since a site has many pages without one.
  const textOf = memoize(([, page]: readonly string[]) => linesBelow(readPage(page ?? '').root).join(' '));
  const sources = [...files].filter(([name]) => /\.(?:x?html?|css)$/i.test(name));
  const images = sources.flatMap(([file, content]) => imagesIn(file, content, base));
  const urls = new Map(images.map(({ image, resolved }) => [image, resolved]));
  const credits = await runInFours(new Set(urls.values()), readCredits);
  const findings = new Map<string, FileRow>();
  for (const { file, image, line, url } of images) {
    // A style sheet is part of each page that names its file, or of any page where none does.
    const naming = pages.filter(([name, page]) => name === file || page.includes(basename(file)));
    const shownOn = () => (naming.length > 0 ? naming.map(textOf) : [pages.map(textOf).join(' ')]);
    const note = creditFault(credits.get(urls.get(image) ?? '') ?? [], shownOn);
    if (note === undefined || findings.has(`${file} ${note}`)) continue;
    findings.set(`${file} ${note}`, { file, ...keptRow(line, url, 'owner'), note });
  }
  return [...findings.values()];
}

/** Finds the images of the service in a file. `image` is the URL without its size. */
function imagesIn(file: string, content: string, base: string) {
  const lineAt = lineCounter(content);
  return findServiceUrls(content, file, base).urls.flatMap(({ resolved, url, start }) => {
    const image = resolved?.replace(/([?&](?:amp;)?)(?:width|height)=\d+/g, '$1') ?? '';
    return resolved === undefined ? [] : [{ file, image, resolved, line: lineAt(start), url }];
  });
}

/** Lists the forms of an image's credit, one of which a page must show; none where none is due. */
async function readCredits(url: string): Promise<readonly string[] | Error> {
  const record = await fetchRecordAt(url, apiKeyFor(url)).catch((error: Error) => error);
  if (record instanceof Error) return record;
  const credit = dueCredit(record);
  return credit ? [credit.text, record.attribution.creditLine.replace(/\s+/g, ' ')] : [];
}

/** Says which credit one of these texts lacks; `undefined` where each shows it, or none is due. */
function creditFault(credits: readonly string[] | Error, texts: () => readonly string[]): string | undefined {
  if (credits instanceof Error) return `Its credit is not known: ${credits.message}`;
  const isCredited = (text: string) => credits.some((credit) => text.includes(credit));
  return credits.length === 0 || texts().every(isCredited)
    ? undefined
    : `The page lacks its credit: ${credits[0]}`;
}
