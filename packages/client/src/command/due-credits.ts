/** Finds the credits that licences ask for and pages lack, of the service's images in pages and their style sheets. */

import { basename } from 'node:path';
import { fetchRecordAt } from '../fetch-records';
import { keptRow } from '../pages/fill-places';
import { isHtml } from '../pages/fill-text';
import { asData, creditOf } from '../pages/foreign-texts';
import type { Finding } from '../pages/lint-html';
import { lineCounter, readPage, textBelow } from '../pages/read-page';
import type { ImageRecord } from '../service';
import { keyFor } from './environment';
import { createUrlFinder } from './service-urls';

/** A file that was read, by its path. */
export interface ReadFile {
  readonly file: string;
  readonly text: string;
}

/** What is wrong with an image of a file. */
export type FileFinding = Finding & { readonly file: string };

/**
 * Asks the service for the credit of each of its images once, whatever its sizes. A sheet is part of the pages that name
 * its file; which page one is for that none names is not known.
 * @param base root of the service
 */
export async function missingCredits(
  files: readonly ReadFile[],
  base: string,
): Promise<readonly FileFinding[]> {
  const find = createUrlFinder(base);
  const pages = files.filter(({ file }) => isHtml(file));
  const textOf = ({ text }: ReadFile) => withSingleSpaces(textBelow(readPage(text)));
  const credits = new Map<string, Promise<readonly string[]>>();
  const findings: FileFinding[] = [];
  for (const { file, text } of files.filter(({ file: name }) => isHtml(name) || /\.css$/i.test(name))) {
    const naming = pages.filter((page) => page.file === file || page.text.includes(basename(file)));
    const shownOn = naming.length > 0 ? naming.map(textOf) : [pages.map(textOf).join(' ')];
    const lineAt = lineCounter(text);
    const said = new Set<string>();
    for (const { image, url, start } of find(text, isHtml(file) ? 'html' : 'css').urls) {
      if (image === undefined) continue;
      const key = image.replace(/([?&](?:amp;)?)(?:width|height)=\d+/g, '$1');
      const asked = credits.get(key) ?? fetchRecordAt(image, keyFor(image)).then(namesIn);
      credits.set(key, asked);
      const names = await asked.catch(({ message }: Error) => `Its credit is not known: ${message}`);
      const isShown = (page: string) =>
        typeof names !== 'string' && names.some((each) => page.includes(each));
      const missing =
        names[0] !== undefined && !shownOn.every(isShown) && `The page lacks its credit: ${names[0]}`;
      const message = typeof names === 'string' ? names : missing;
      if (!message || said.has(message)) continue;
      said.add(message);
      findings.push({ file, ...keptRow(lineAt(start), url, 'owner'), rule: 'missing-credit', message });
    }
  }
  return findings;
}

const withSingleSpaces = (text: string) => text.replace(/\s+/g, ' ');

/** The ways in which a page may say the credit of an image; none where it needs none. */
function namesIn(record: ImageRecord): readonly string[] {
  const credit = creditOf(record);
  const { creditLine } = record.attribution;
  return credit ? [credit.text, withSingleSpaces(creditLine), asData(creditLine)] : [];
}
