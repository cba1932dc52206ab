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
  const findings = new Map<string, FileFinding>();
  for (const { file, text } of files.filter(({ file: name }) => isHtml(name) || /\.css$/i.test(name))) {
    const naming = pages.filter((page) => page.file === file || page.text.includes(basename(file)));
    const shownOn = naming.length > 0 ? naming.map(textOf) : [pages.map(textOf).join(' ')];
    const lineAt = lineCounter(text);
    for (const { image, url, start } of find(text, file).urls) {
      if (image === undefined) continue;
      const key = image.replace(/([?&](?:amp;)?)(?:width|height)=\d+/g, '$1');
      const asked = credits.get(key) ?? fetchRecordAt(image, keyFor(image)).then(namesIn);
      credits.set(key, asked);
      const message = await asked.then(
        (names) =>
          names.length > 0 && !shownOn.every((page) => names.some((each) => page.includes(each)))
            ? `The page lacks its credit: ${names[0]}`
            : '',
        (error: Error) => `Its credit is not known: ${error.message}`,
      );
      const row = { file, ...keptRow(lineAt(start), url, 'owner'), message };
      const id = `${file} ${message}`;
      if (message && !findings.has(id)) findings.set(id, { ...row, rule: 'missing-credit' });
    }
  }
  return [...findings.values()];
}

const withSingleSpaces = (text: string) => text.replace(/\s+/g, ' ');

/** The ways in which a page may say the credit of an image; none where it needs none. */
function namesIn(record: ImageRecord): readonly string[] {
  const credit = creditOf(record);
  const { creditLine } = record.attribution;
  return credit ? [credit.text, withSingleSpaces(creditLine), asData(creditLine)] : [];
}
