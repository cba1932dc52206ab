/** `lint`: says what is wrong with the images of pages; exit code 1 where something is. */

import { parseArgs } from 'node:util';
import { lintCode, pageFile } from '../pages/fill-code';
import type { Finding } from '../pages/lint-html';
import { UsageError } from './environment';
import { createLoads, textsAt } from './files';

const formats = ['text', 'json', 'github'] as const;

/** @returns the exit code @throws `UsageError` */
export async function lint(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { format: { type: 'string', default: 'text' }, check: { type: 'boolean' } },
  });
  const format = formats.find((each) => each === values.format);
  if (!format) throw new UsageError(`--format takes one of ${formats.join(', ')}.`);
  const options = { nowMs: Date.now(), ...(values.check && { loads: createLoads() }) };
  const findings: (Finding & { readonly file: string })[] = [];
  for (const { file, text } of textsAt(positionals, pageFile))
    findings.push(...(await lintCode(text, file, options)).map((each) => ({ file, ...each })));
  if (format === 'json') process.stdout.write(`${JSON.stringify(findings, null, 2)}\n`);
  else for (const each of findings) process.stdout.write(`${lineOf(each, format)}\n`);
  if (format === 'text')
    process.stdout.write(findings.length === 0 ? 'No problems.\n' : `${findings.length} problems.\n`);
  return findings.length === 0 ? 0 : 1;
}

/** Workflow commands of GitHub take no line breaks and no bare percent signs. */
const inCommand = (text: string) => text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');

function lineOf(
  { file, line, rule, message }: Finding & { readonly file: string },
  format: 'text' | 'github',
): string {
  return format === 'text'
    ? `${file}:${line}  ${rule}  ${message}`
    : `::error file=${inCommand(file)},line=${line},title=${rule}::${inCommand(message)}`;
}
