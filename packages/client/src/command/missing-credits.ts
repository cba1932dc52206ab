/** Finds the credits that licences ask for and that the pages of a site lack. */

import { basename } from 'node:path';
import { fetchRecordAt } from '../fetch-records';
import { createLineFinder, parseCredit } from '../pages/edits';
import { makeKeptRow, runInFours } from '../pages/fill';
import { isHtml } from '../pages/fill-text';
import { listLines, memoize, readPage } from '../pages/page';
import { chooseApiKey, type FileRow } from './inputs';
import { findServiceUrls } from './service-urls';

/** Finds missing credits. Asks for the credit of each image once, not for each size. @param files texts by path */
export async function findMissingCredits(files: ReadonlyMap<string, string>, base: string) {
  const pages = [...files].filter(([file]) => isHtml(file));
  // A page is only parsed if a credit is due, because most pages of a site need none.
  const readText = memoize(([, page = '']: readonly string[]) => listLines(readPage(page).root).join(' '));
  const sources = [...files].filter(([name]) => /\.(?:x?html?|css)$/i.test(name));
  const images = sources.flatMap(([file, content]) => listImages(file, content, base));
  const urls = new Map(images.map(({ image, resolved }) => [image, resolved]));
  const credits = await runInFours(new Set(urls.values()), readCredits);
  const findings = new Map<string, FileRow>();
  for (const { file, image, line, url } of images) {
    // A style sheet belongs to each page that names its file. If none does, it may belong to any page.
    const namingPages = pages.filter(([name, page]) => name === file || page.includes(basename(file)));
    const listPages = () =>
      namingPages.length > 0 ? namingPages.map(readText) : [pages.map(readText).join(' ')];
    const { lines = [], error } = credits.get(urls.get(image) ?? '') ?? {};
    const isCredited = (text: string) => lines.some((credit) => text.includes(credit));
    if (!error && (lines.length === 0 || listPages().every(isCredited))) continue;
    const note = error
      ? `Its credit is not known: ${error.message}`
      : `The page lacks its credit: ${lines[0]}`;
    if (!findings.has(`${file} ${note}`))
      findings.set(`${file} ${note}`, { file, ...makeKeptRow(line, url, 'owner'), note });
  }
  return [...findings.values()];
}

/** Finds the images of the service in a file. `image` is the URL without a size. */
function listImages(file: string, content: string, base: string) {
  const lineAt = createLineFinder(content);
  return findServiceUrls(content, file, base).urls.flatMap(({ resolved, url, start }) => {
    const image = resolved?.replace(/([?&](?:amp;)?)(?:width|height)=\d+/g, '$1') ?? '';
    return resolved === undefined ? [] : [{ file, image, resolved, line: lineAt(start), url }];
  });
}

async function readCredits(url: string): Promise<{ lines?: readonly string[]; error?: Error }> {
  const record = await fetchRecordAt(url, chooseApiKey(url)).catch((error: Error) => error);
  if (record instanceof Error) return { error: record };
  const credit = parseCredit(record);
  return credit ? { lines: [credit.text, record.attribution.creditLine.replace(/\s+/g, ' ')] } : {};
}
