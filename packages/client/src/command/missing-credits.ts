/** Finds the credits of the service's images that the pages of a site lack. */

import { basename } from 'node:path';
import { fetchRecordAt } from '../fetch-records';
import { dueCredit, lineCounter } from '../pages/edits';
import { keptRow } from '../pages/fill';
import { isHtml } from '../pages/fill-text';
import { linesBelow, memoize, readPage } from '../pages/page';
import { apiKeyFor, type FileRow } from './inputs';
import { serviceUrls } from './service-urls';

/** Asks for the credit of each image once, whatever its sizes. @param files their texts by their paths */
export async function missingCredits(files: ReadonlyMap<string, string>, base: string): Promise<FileRow[]> {
  const pages = [...files].filter(([file]) => isHtml(file));
  // A page is read for its texts where a credit is due, since a site has many pages without one.
  const textOf = memoize(([, page]: readonly string[]) => linesBelow(readPage(page ?? '').root).join(' '));
  const creditsOf = new Map<string, readonly string[] | Error>();
  const findings = new Map<string, FileRow>();
  for (const [file, content] of [...files].filter(([name]) => /\.(?:x?html?|css)$/i.test(name))) {
    // A style sheet is part of each page that names its file, or of any page where none does.
    const naming = pages.filter(([name, page]) => name === file || page.includes(basename(file)));
    const shownOn = () => (naming.length > 0 ? naming.map(textOf) : [pages.map(textOf).join(' ')]);
    const lineAt = lineCounter(content);
    for (const { resolved, url, start } of serviceUrls(content, file, base).urls) {
      if (resolved === undefined) continue;
      const image = resolved.replace(/([?&](?:amp;)?)(?:width|height)=\d+/g, '$1');
      const credits = creditsOf.get(image) ?? (await readCredits(resolved).catch((error: Error) => error));
      creditsOf.set(image, credits);
      const note = creditFault(credits, shownOn);
      if (note === undefined || findings.has(`${file} ${note}`)) continue;
      findings.set(`${file} ${note}`, { file, ...keptRow(lineAt(start), url, 'owner'), note });
    }
  }
  return [...findings.values()];
}

/** Lists the forms of an image's credit, one of which a page must show; none where none is due. */
async function readCredits(url: string): Promise<readonly string[]> {
  const record = await fetchRecordAt(url, apiKeyFor(url));
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
