/** Finds the credits that licences ask for and that the pages of a site lack. */

import { basename } from 'node:path';
import { fetchRecordAt, runInFours } from '../fetch-records';
import { createLineFinder, parseCredit } from '../pages/edits';
import { makeKeptRow } from '../pages/fill';
import { isHtmlFile } from '../pages/fill-text';
import { listLines, memoize, parsePage } from '../pages/page';
import { chooseApiKey, type FileRow } from './inputs';
import { findServiceUrls } from './service-urls';

/** Finds missing credits. Asks for the credit of each image once, not for each size. @param files texts by path */
export async function findMissingCredits(files: ReadonlyMap<string, string>, base: string) {
  const pages = [...files].filter(([file]) => isHtmlFile(file));
  // A page is only parsed if a credit is due, because most pages of a site need none.
  const readBody = memoize(([, page = '']: readonly string[]) => listLines(parsePage(page).root).join(' '));
  const sources = [...files].filter(([name]) => /\.(?:x?html?|css)$/i.test(name));
  const images = sources.flatMap(([file, content]) => listServiceImages(file, content, base));
  const urls = new Map(images.map(({ image, resolved }) => [image, resolved]));
  const credits = await runInFours(urls.values(), fetchCredit);
  const findings = new Map<string, FileRow>();
  for (const { file, image, line, url } of images) {
    const credit = credits.get(urls.get(image) ?? '');
    const key = `${file} ${credit?.note}`;
    if (!credit || findings.has(key)) continue;
    // A style sheet belongs to each page that names its file. If none does, it may belong to any page.
    const namingPages = pages.filter(([name, page]) => name === file || page.includes(basename(file)));
    const texts = namingPages.length > 0 ? namingPages.map(readBody) : [pages.map(readBody).join(' ')];
    if (texts.every((pageText) => credit.texts.some((text) => pageText.includes(text)))) continue;
    findings.set(key, { file, ...makeKeptRow(line, url, 'owner'), note: credit.note });
  }
  return [...findings.values()];
}

/** Lists the images of the service in a file. `image` is the URL without a size. */
function listServiceImages(file: string, content: string, base: string) {
  const findLine = createLineFinder(content);
  return findServiceUrls(content, file, base).urls.flatMap(({ resolved, url, start }) => {
    const image = resolved?.replace(/([?&](?:amp;)?)(?:width|height)=\d+/g, '$1') ?? '';
    return resolved === undefined ? [] : [{ file, image, resolved, line: findLine(start), url }];
  });
}

/** Fetches the credit of an image: texts of which a page must have one, and what is wrong if it has none. */
async function fetchCredit(url: string) {
  const record = await fetchRecordAt(url, chooseApiKey(url)).catch((error: Error) => error);
  if (record instanceof Error) return { texts: [], note: `Its credit is not known: ${record.message}` };
  const text = parseCredit(record)?.text;
  if (text === undefined) return undefined;
  const texts = [text, record.attribution.creditLine.replace(/\s+/g, ' ')];
  return { texts, note: `The page lacks its credit: ${text}` };
}
