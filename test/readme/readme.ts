/** Parses the README: its commands, links and tables. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(__dirname, '../..');
export const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** Every command of its shell blocks, without the comment behind it. */
export function commandsIn(text = readme): readonly string[] {
  return [...text.matchAll(/^```(?:sh|bash|shell|console)\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
    block
      // A backslash at the end continues a command on the next line.
      .replace(/\\\n\s*/g, '')
      .split('\n')
      .map((line) => line.replace(/("[^"]*"|'[^']*')|(?:^|\s)#.*$/g, (_, quoted = '') => quoted).trim())
      .filter((line) => line !== ''),
  );
}

/** Languages of its code blocks; an unknown one may hide a command. */
export function blockLanguages(): readonly string[] {
  return [...readme.matchAll(/^```(\w*)\n[\s\S]*?^```$/gm)].map(([, language = '']) => language);
}

/** Scripts of package.json that its running text names. */
export function scriptsInText(): readonly string[] {
  return [...readme.matchAll(/`npm run (?:--silent |-s )?([\w:]+)[^`\n]*`/g)].map(([, name = '']) => name);
}

/** What its links and images lead to within the project. */
export function relativeLinks(): readonly string[] {
  return [...readme.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, target = '']) =>
    target.replace(/#.*$/, ''),
  );
}

/** Rows of the table that begins with these heads, cell by cell. */
export function tableWith(...heads: readonly string[]): readonly (readonly string[])[] {
  const cells = (line: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  const lines = readme.split('\n');
  const start = lines.findIndex(
    (line) => heads.every((head, i) => cells(line)[i] === head) && line.startsWith('|'),
  );
  if (start < 0) throw new Error(`The README has no table with ${heads.join(', ')}.`);
  const rest = lines.slice(start + 2);
  const end = rest.findIndex((line) => !line.startsWith('|'));
  return rest.slice(0, end < 0 ? undefined : end).map(cells);
}
