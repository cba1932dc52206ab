// Finds regular expressions that may take longer than linear time on some input, in all code that reads requests or
// answers of providers.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';
import { checkSync } from 'recheck';

const [, , ...given] = process.argv;
const folders = given.length > 0 ? given : ['lambda', 'packages/client/src'];
/** In milliseconds. With its own seconds for each step, a search that a busy machine cuts short finds what is not there. */
const options = { timeout: 60_000, seedingTimeout: 20_000, incubationTimeout: 20_000, attackTimeout: 20_000 };
/** What page authors run on files of their own. */
const ownFiles = /^packages\/client\/src\/(command\/|pages\/(fill-code|lint-html)\.ts$)/;

/** The regular expressions of a syntax tree; for what is filled into one stands a digit, which may also be a number of times. */
function* patternsIn(node) {
  if (node === null || typeof node !== 'object') return;
  if (node.type === 'RegExpLiteral') yield node;
  if (node.type === 'NewExpression' && node.callee.value === 'RegExp') {
    const [pattern, flags] = node.arguments.map(({ expression }) => expression);
    const text = pattern.value ?? pattern.quasis?.map(({ raw }) => raw.replaceAll('\\\\', '\\')).join('1');
    if (text !== undefined) yield { pattern: text, flags: flags?.value ?? '' };
  }
  for (const child of Object.values(node)) yield* patternsIn(child);
}

let isSlow = false;
for (const folder of folders) {
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!/\.ts$/.test(name) || name.endsWith('.d.ts')) continue;
    const file = join(folder, name);
    if (ownFiles.test(file)) continue;
    const tree = parseSync(readFileSync(file, 'utf8'), { syntax: 'typescript', target: 'es2022' });
    for (const { pattern, flags } of patternsIn(tree)) {
      const { status, complexity } = checkSync(pattern, flags, options);
      if (status === 'safe') continue;
      // Whether it is safe may not be decided in time on a busy machine.
      isSlow ||= status === 'vulnerable';
      process.stderr.write(
        `${file}: /${pattern}/${flags} is ${status} (${complexity?.summary ?? 'not known'})\n`,
      );
    }
  }
}
process.exitCode = isSlow ? 1 : 0;
