/** `lint`: says what is wrong with the images of pages; exit code 1 where something is. */

import { unreadRow } from '../pages/fill-places';
import { isHtml } from '../pages/fill-text';
import { lintHtml, lintText } from '../pages/lint-html';
import { type FileFinding, missingCredits, type ReadFile } from './due-credits';
import { flag, readArguments, requiredBase, text, UsageError } from './environment';
import { createGoneCheck, readFiles } from './files';

const formats = ['text', 'json', 'github'] as const;

/** @returns the exit code @throws `UsageError` */
export async function lint(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, { format: text, json: flag, check: flag });
  const named = values.format ?? (values.json ? 'json' : 'text');
  const format = formats.find((each) => each === named);
  if (!format) throw new UsageError(`--format takes one of ${formats.join(', ')}.`);
  const options = { nowMs: Date.now(), ...(values.check && { isGone: createGoneCheck() }) };
  const findings: FileFinding[] = [];
  const read: ReadFile[] = [];
  await readFiles(
    positionals,
    async (file, content) => {
      const found = isHtml(file) ? await lintHtml(content, options) : await lintText(content, file, options);
      findings.push(...found.map((each) => ({ file, ...each })));
      read.push({ file, text: content });
    },
    (file, message) => findings.push({ file, ...unreadRow(message), rule: 'unread', message }),
  );
  if (process.env['IMAGE_REDIRECT_URL']) findings.push(...(await missingCredits(read, requiredBase())));
  else if (read.some((each) => /\/api\/image[/?]/.test(each.text)))
    process.stderr.write('Credits are not checked: set IMAGE_REDIRECT_URL to the root of the service.\n');
  findings.sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
  if (format === 'json') process.stdout.write(`${JSON.stringify(findings, null, 2)}\n`);
  else for (const each of findings) process.stdout.write(`${lineOf(each, format)}\n`);
  if (format === 'text')
    process.stdout.write(findings.length === 0 ? 'No problems.\n' : `${findings.length} problems.\n`);
  return findings.length === 0 ? 0 : 1;
}

/** Workflow commands of GitHub take no line breaks and no bare percent signs. */
const inCommand = (text: string) => text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');

const lineOf = ({ file, line, rule, message }: FileFinding, format: 'text' | 'github'): string =>
  format === 'text'
    ? `${file}:${line}  ${rule}  ${message}`
    : `::error file=${inCommand(file)},line=${line},title=${rule}::${inCommand(message)}`;
