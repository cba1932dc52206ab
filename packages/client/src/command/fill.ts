/** `fill`: puts images into the pages and sources of a project; without `--write` it asks nobody and writes nothing. */

import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { fillHtml } from '../pages/fill-html';
import { unreadRow } from '../pages/fill-places';
import { fillText, isHtml } from '../pages/fill-text';
import type { FillOptions } from '../pages/find-all';
import type { Choices, FilledImage } from '../service';
import { requiredService } from './environment';
import { createGoneCheck, readFiles } from './files';

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
  await readFiles(
    positionals,
    async (file, text) => {
      const { html, report, credits } = isHtml(file)
        ? await fillHtml(text, service, options)
        : await fillText(text, file, service, options);
      rows.push(...report.map((row) => ({ file, ...row })));
      // A page shows its own.
      if (!isHtml(file)) for (const credit of credits) due.add(credit);
      if (isWritten && html !== text) writeFileSync(file, html);
    },
    (file, why) => rows.push({ file, ...unreadRow(why) }),
  );
  const credits = [...due].map((credit) => `  ${credit}\n`).join('');
  const notice = credits && `Show these credits where the images are shown:\n${credits}`;
  if (values.json) {
    process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
    process.stderr.write(notice);
  } else {
    for (const row of rows) process.stdout.write(`${lineOf(row)}\n`);
    process.stdout.write(`${notice}${summary(rows, isWritten)}\n`);
  }
  return rows.some(({ outcome }) => outcome === 'left') ? 1 : 0;
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
