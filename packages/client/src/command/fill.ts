/** The command `fill`. It puts images into pages and sources. Without `--write` it asks for and writes nothing. */

import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Batch, fetchBatch } from '../fetch-records';
import { creditsAttribute, fillHtml } from '../pages/fill-html';
import { fillText, isHtmlFile } from '../pages/fill-text';
import type { FillOptions } from '../pages/find-images';
import { createGoneCheck, flagOption, readBase, readFiles, textOption, UsageError } from './inputs';

/** Fills the images of files and prints a row for each. @returns the exit code: 1 if an image is left */
export async function fill(args: readonly string[]): Promise<number> {
  const flags = { write: flagOption, 'replace-stock': flagOption, check: flagOption, json: flagOption };
  const options = { ...flags, style: textOption, onmiss: textOption, lang: textOption };
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  const { write: isWritten = false, check, json, 'replace-stock': replaceStock = false, ...choices } = values;
  const key = process.env['IMAGE_REDIRECT_KEY'] ?? '';
  const base = isWritten ? readBase() : '';
  const find = isWritten ? (batch: Batch) => fetchBatch(base, batch, { key }) : undefined;
  if (isWritten && !key.startsWith('pk_'))
    throw new UsageError('Set IMAGE_REDIRECT_KEY to an API key, pk_….');
  // The service refuses a style that it does not have.
  const terms = { replaceStock, ...choices, ...(check && { isGone: createGoneCheck() }) } as FillOptions;
  const dueCredits = new Set<string>();
  const rows = await readFiles(positionals, async (file, content) => {
    const { html, report, credits } = isHtmlFile(file)
      ? await fillHtml(content, find, terms)
      : await fillText(content, file, find, terms);
    // A page shows its credits itself, unless it ends within a comment or a script.
    const showsCredits = isHtmlFile(file) && html.includes(creditsAttribute);
    if (!showsCredits) for (const credit of credits) dueCredits.add(credit);
    if (isWritten && html !== content) writeFileSync(file, html);
    return report;
  });
  const credits = [...dueCredits].map((credit) => `  ${credit}\n`).join('');
  const notice = credits && `Show these credits where the images are shown:\n${credits}`;
  const counts = (['filled', 'drawn', 'kept', 'left'] as const).map(
    (name) => `${rows.filter(({ outcome }) => outcome === name).length} ${name}`,
  );
  const summary = `${counts.join(', ')}.${isWritten ? '' : ' Nothing was asked for or written: --write does it.'}`;
  const lines = rows.map(({ file, line, was, outcome, reason, query, width, height, src, note = '' }) => {
    const shownUrl = outcome === 'filled' && src ? src : was;
    const labels = query === null ? [was] : [`“${query}”`, `${width} × ${height}`, shownUrl];
    return [`${file}:${line}`, `${outcome} (${reason})`, ...labels, note].filter(Boolean).join('  ');
  });
  lines.push(`${notice}${summary}`);
  process.stdout.write(`${json ? JSON.stringify(rows, null, 2) : lines.join('\n')}\n`);
  if (json) process.stderr.write(notice);
  return rows.some(({ outcome }) => outcome === 'left') ? 1 : 0;
}
