/** `fill`: puts images into the pages and sources of a project; a dry run unless `--write`. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { codeFile, fillCode } from '../pages/fill-code';
import { type FillOptions, fillHtml } from '../pages/fill-html';
import type { Choices } from '../service';
import { filesAt } from './files';
import { createPlan } from './plan';
import { previews, showsImages } from './preview';
import { type FileReport, reportHtml } from './report-html';
import { createLoads, serviceOf } from './service';
import { table } from './table';

export const htmlFile = /\.html?$/;

export async function fill(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      write: { type: 'boolean' },
      'replace-stock': { type: 'boolean' },
      check: { type: 'boolean' },
      html: { type: 'string' },
      json: { type: 'boolean' },
      style: { type: 'string' },
      onmiss: { type: 'string' },
      lang: { type: 'string' },
    },
  });
  const plan = createPlan(serviceOf(process.env), Date.now());
  const { style, onmiss, lang } = values;
  const loads = values.check ? createLoads() : undefined;
  const reports: FileReport[] = [];
  for (const file of filesAt(positionals, (name) => htmlFile.test(name) || codeFile.test(name))) {
    const text = readFileSync(file, 'utf8');
    // A file that is no text is left alone.
    if (text.includes('\0') || text.includes('\ufffd')) continue;
    const options: FillOptions = {
      page: [...file].slice(-64).join(''),
      replaceStock: values['replace-stock'] ?? false,
      isFile: (path) => isThere(file, path),
      ...(style && { style: style as Choices['style'] }),
      ...(onmiss && { onmiss: onmiss as Choices['onmiss'] }),
      ...(lang && { lang }),
      ...(loads && { loads }),
    };
    const filled = htmlFile.test(file)
      ? { ...(await fillHtml(text, plan.find, options)), credits: [] }
      : await fillCode(text, file, plan.find, options);
    if (filled.report.length > 0) reports.push({ file, images: filled.report, credits: filled.credits });
    if (values.write && filled.html !== text) writeFileSync(file, filled.html);
  }
  plan.end(values.write ?? false);
  if (values.html) writeFileSync(values.html, reportHtml(reports));
  if (!values.json && showsImages(process.stdout.isTTY, process.env['TERM_PROGRAM']))
    process.stdout.write(await previews(reports.flatMap(({ images }) => images)));
  process.stdout.write(
    values.json ? `${JSON.stringify(reports, null, 2)}\n` : asText(reports, values.write ?? false),
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

function asText(reports: readonly FileReport[], isWritten: boolean): string {
  if (reports.length === 0) return 'Nothing to fill.\n';
  const rows = reports.flatMap(({ file, images }) =>
    images.map((image) => [
      `${file}:${image.line}`,
      image.reason.replace(/_/g, ' '),
      image.query,
      `${image.width} × ${image.height}`,
      image.outcome === 'left'
        ? (image.problem ?? 'left')
        : image.outcome === 'drawn'
          ? `drawn: ${image.note}`
          : (image.src ?? ''),
    ]),
  );
  const credits = [...new Set(reports.flatMap((each) => each.credits))];
  return [
    table(['Where', 'Was', 'Words', 'Size', 'Now'], rows),
    ...(credits.length > 0
      ? ['', 'Show these credits on the page:', ...credits.map((credit) => `  ${credit}`)]
      : []),
    '',
    isWritten
      ? 'Written.'
      : 'Nothing was written. With --write the pages get these images, within a day without another charge.',
    '',
  ].join('\n');
}
