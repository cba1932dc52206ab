/** `fill`: puts images into the pages and sources of a project; without `--write` it asks nobody and writes nothing. */

import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type FilledPage, type FillOptions, fillHtml, unreadRow } from '../pages/fill-html';
import { fillText, isHtml, isSource } from '../pages/fill-text';
import { PageTooLarge } from '../pages/read-page';
import type { Choices, FilledImage } from '../service';
import { requiredService } from './environment';
import { createGoneCheck, filesAt, notUtf8, textAt } from './files';

/** A row of the report: what became of an image of a file. */
type Row = { readonly file: string } & FilledImage;

/** @returns exit code 1 where an image is left @throws `UsageError`, and as `fillHtml` */
export async function fill(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      write: { type: 'boolean' },
      'replace-stock': { type: 'boolean' },
      check: { type: 'boolean' },
      json: { type: 'boolean' },
      style: { type: 'string' },
      onmiss: { type: 'string' },
      lang: { type: 'string' },
    },
  });
  const { write: isWritten = false, style, onmiss, lang } = values;
  const service = isWritten ? requiredService() : undefined;
  const options: FillOptions = {
    replaceStock: values['replace-stock'] ?? false,
    ...(style && { style: style as Choices['style'] }),
    ...(onmiss && { onmiss: onmiss as Choices['onmiss'] }),
    ...(lang && { lang }),
    ...(values.check && { isGone: createGoneCheck() }),
  };
  const rows: Row[] = [];
  const due = new Set<string>();
  for (const file of filesAt(positionals, isSource)) {
    const filled = await fillFile(file, service, options);
    rows.push(...filled.report.map((row) => ({ file, ...row })));
    // A page shows its own.
    if (!isHtml(file)) for (const credit of filled.credits) due.add(credit);
    if (isWritten && filled.html !== undefined) writeFileSync(file, filled.html);
  }
  const credits = [...due].map((credit) => `  ${credit}\n`).join('');
  const notice = credits && `Show these credits where the images are shown:\n${credits}`;
  if (values.json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  else for (const row of rows) process.stdout.write(`${lineOf(row)}\n`);
  if (values.json) process.stderr.write(notice);
  else process.stdout.write(`${notice}${summary(rows, isWritten)}\n`);
  return rows.some(({ outcome }) => outcome === 'left') ? 1 : 0;
}

async function fillFile(
  file: string,
  service: Parameters<typeof fillHtml>[1],
  options: FillOptions,
): Promise<Pick<FilledPage, 'report' | 'credits'> & { readonly html?: string }> {
  const text = textAt(file);
  const left = (why: string) => ({ report: [unreadRow(why)], credits: [] });
  if (text === undefined) return left(notUtf8);
  try {
    const { html, ...filled } = isHtml(file)
      ? await fillHtml(text, service, options)
      : await fillText(text, file, service, options);
    return { ...filled, ...(html !== text && { html }) };
  } catch (error) {
    if (error instanceof PageTooLarge) return left(error.message);
    throw error;
  }
}

function lineOf({ file, line, was, outcome, reason, query, width, height, src, note }: Row): string {
  const about =
    query === null ? [was] : [`“${query}”`, `${width} × ${height}`, outcome === 'filled' && src ? src : was];
  const parts = [`${file}:${line}`, `${outcome} (${reason})`, ...about, note ?? ''];
  return parts.filter(Boolean).join('  ');
}

function summary(rows: readonly Row[], isWritten: boolean): string {
  const count = (wanted: Row['outcome']) => rows.filter(({ outcome }) => outcome === wanted).length;
  const counts = `${count('filled')} filled, ${count('drawn')} drawn, ${count('kept')} kept, ${count('left')} left.`;
  return isWritten ? counts : `${counts} Nothing was asked for or written: --write does it.`;
}
