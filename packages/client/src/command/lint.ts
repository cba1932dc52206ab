/** `lint`: says what is wrong with the images of pages, and which credits that licences ask for they lack. */

import { basename } from 'node:path';
import { fetchRecordAt } from '../fetch-records';
import { asData, creditOf, lineCounter } from '../pages/edits';
import { keptRow } from '../pages/fill';
import { isHtml } from '../pages/fill-text';
import { type Finding, lintFile } from '../pages/lint';
import { linesBelow, readPage } from '../pages/page';
import { type FileRow, flag, keyFor, readArguments, requiredBase, text, UsageError } from './environment';
import { createGoneCheck, readFiles } from './files';
import { createUrlFinder } from './service-urls';

/** @returns the exit code @throws `UsageError` */
export async function lint(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, { format: text, json: flag, check: flag });
  const { format, json } = values;
  if (format !== undefined && format !== 'github') throw new UsageError('--format takes github.');
  const options = values.check ? { isGone: createGoneCheck() } : {};
  const read = new Map<string, string>();
  const rows = await readFiles(positionals, async (file, content) => {
    const found = await lintFile(content, file, options, Date.now());
    read.set(file, content);
    return found;
  });
  const findings = rows.map(
    (row): FileRow<Finding> => ('rule' in row ? row : { ...row, rule: 'unread', message: row.note ?? '' }),
  );
  if (process.env['IMAGE_REDIRECT_URL']) findings.push(...(await missingCredits(read, requiredBase())));
  else if ([...read.values()].some((content) => /\/api\/image[/?]/.test(content)))
    process.stderr.write('Credits are not checked: set IMAGE_REDIRECT_URL to the root of the service.\n');
  findings.sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
  // A workflow command of GitHub takes no line breaks and no bare percent signs.
  const plain = (part: string) => part.replace(/[%\r\n]/g, (each) => encodeURIComponent(each));
  const lines = findings.map(({ file, line, rule, message }) =>
    format === 'github'
      ? `::error file=${plain(file)},line=${line},title=${rule}::${plain(message)}\n`
      : `${file}:${line}  ${rule}  ${message}\n`,
  );
  const total = findings.length === 0 ? 'No problems.\n' : `${findings.length} problems.\n`;
  const said = lines.join('') + (format ? '' : total);
  process.stdout.write(json ? `${JSON.stringify(findings, null, 2)}\n` : said);
  return findings.length === 0 ? 0 : 1;
}

/**
 * Asks the service for the credit of each of its images once, whatever its sizes. A sheet is part of the pages that name
 * its file; which page one is for that none names is not known.
 * @param files what stands in files, by their paths
 * @param base root of the service
 */
export async function missingCredits(
  files: ReadonlyMap<string, string>,
  base: string,
): Promise<readonly FileRow<Finding>[]> {
  const find = createUrlFinder(base);
  const pages = [...files].filter(([file]) => isHtml(file));
  const shownIn = ([, page]: readonly [file: string, text: string]) =>
    linesBelow(readPage(page).root).join(' ');
  /** The ways in which a page may say the credit of an image; none where it needs none. */
  const creditsAt = async (image: string): Promise<readonly string[]> => {
    const record = await fetchRecordAt(image, keyFor(image));
    const [credit, { creditLine }] = [creditOf(record), record.attribution];
    return credit ? [credit.text, creditLine.replace(/\s+/g, ' '), asData(creditLine)] : [];
  };
  const credits = new Map<string, ReturnType<typeof creditsAt>>();
  const findings = new Map<string, FileRow<Finding>>();
  for (const [file, content] of [...files].filter(([name]) => /\.(?:x?html?|css)$/i.test(name))) {
    const naming = pages.filter(([name, page]) => name === file || page.includes(basename(file)));
    const shownOn = naming.length > 0 ? naming.map(shownIn) : [pages.map(shownIn).join(' ')];
    const lineAt = lineCounter(content);
    for (const { image, url, start } of find(content, file).urls) {
      if (image === undefined) continue;
      const key = image.replace(/([?&](?:amp;)?)(?:width|height)=\d+/g, '$1');
      const asked = credits.get(key) ?? creditsAt(image);
      credits.set(key, asked);
      const isShown = (names: readonly string[]) =>
        names.length === 0 || shownOn.every((page) => names.some((each) => page.includes(each)));
      const message = await asked.then(
        (names) => (isShown(names) ? '' : `The page lacks its credit: ${names[0]}`),
        (error: Error) => `Its credit is not known: ${error.message}`,
      );
      const row = { file, ...keptRow(lineAt(start), url, 'owner'), message };
      const id = `${file} ${message}`;
      if (message && !findings.has(id)) findings.set(id, { ...row, rule: 'missing-credit' });
    }
  }
  return [...findings.values()];
}
