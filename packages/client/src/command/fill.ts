/** `fill`: puts images into the pages and sources of a project; a dry run unless `--write`. */

import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { fillCode, pageFile } from '../pages/fill-code';
import type { FillOptions } from '../pages/fill-html';
import type { Choices } from '../service';
import { requiredService } from './environment';
import { createLoads, textsAt } from './files';
import { type FileReport, reportText } from './report';

/** @returns exit code 0 @throws `UsageError`, and as `fillHtml` */
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
  const service = requiredService();
  const { style, onmiss, lang } = values;
  const loads = values.check ? createLoads() : undefined;
  const reports: FileReport[] = [];
  for (const { file, text } of textsAt(positionals, pageFile)) {
    // A file that is no text is left alone.
    if (/[\0\ufffd]/.test(text)) continue;
    const options: FillOptions = {
      replaceStock: values['replace-stock'] ?? false,
      isFile: (path) => isThere(file, path),
      ...(style && { style: style as Choices['style'] }),
      ...(onmiss && { onmiss: onmiss as Choices['onmiss'] }),
      ...(lang && { lang }),
      ...(loads && { loads }),
    };
    const filled = await fillCode(text, file, service, options);
    if (filled.report.length > 0) reports.push({ file, images: filled.report, credits: filled.credits });
    if (values.write && filled.html !== text) writeFileSync(file, filled.html);
  }
  process.stdout.write(
    values.json ? `${JSON.stringify(reports, null, 2)}\n` : reportText(reports, values.write ?? false),
  );
  return 0;
}

/** Whether a path of a page names a file: beside the page, or in a folder that sites are served from. */
function isThere(file: string, path: string): boolean {
  let name = path.split(/[?#]/)[0] ?? '';
  try {
    name = decodeURIComponent(name);
  } catch {
    // Taken as it is.
  }
  const roots = name.startsWith('/')
    ? ancestors(file).flatMap((each) => [each, join(each, 'public'), join(each, 'static')])
    : [dirname(file), ...ancestors(file).map((each) => join(each, 'public'))];
  return roots.some((root) => existsSync(join(root, name)));
}

/** The folders above a file, up to the current one. */
function ancestors(file: string): string[] {
  const folder = dirname(file);
  return folder === '.' || folder === '/' || folder.startsWith('..')
    ? [folder]
    : [folder, ...ancestors(folder)];
}
