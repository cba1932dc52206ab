/** Tests two rules of the code: root files of subjects are pure, and each exported function has a comment. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..');
const lambda = join(root, 'lambda');
/** Folders without rules of the product: entry points, connections to AWS, facts. */
const exempt = new Set(['functions', 'aws', 'contract']);
/** Root files that must reach the machine: its clock and its random numbers. */
const adapters = new Set(['base/clock.ts', 'base/ids.ts']);
/** The script for browsers. It stands in a text. */
const browserText = 'problems/reload-script.ts';
/**
 * Code with results that differ from call to call, or code that reaches outside the process. Commands of DynamoDB
 * are allowed, because they are data.
 */
const impure =
  /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bMath\.random\b|\bcrypto\.(randomUUID|getRandomValues)\b|\bimport \{[^}]*\brandom(UUID|Bytes|Int)\b[^}]*\} from|\bprocess\.(env|hrtime)\b|(?<![.\w])fetch\(|from '(@aws-sdk\/(?!lib-dynamodb')|@smithy\/)/;

const rootFiles = readdirSync(lambda, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !exempt.has(entry.name))
  .flatMap(({ name }) => readdirSync(join(lambda, name)).map((file) => `${name}/${file}`))
  .filter((path) => path.endsWith('.ts') && !adapters.has(path) && path !== browserText);

/** Returns the code of a file, without its comments. */
function removeComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

test.each(rootFiles)('%s takes clock, randomness, environment and network as parameters', (path) => {
  expect(impure.exec(removeComments(readFileSync(join(lambda, path), 'utf8')))?.[0]).toBeUndefined();
});

/** Finds the exported functions and classes without a comment. Overloads share the comment of the first. */
function findUndescribed(source: string): readonly string[] {
  const declaration = /^export (?:abstract |async )*(?:function\*?|class) (\w+)/;
  const lines = source.split('\n');
  return lines.flatMap((line, index) => {
    const name = declaration.exec(line)?.[1];
    const lineBefore = lines[index - 1] ?? '';
    const isDescribed = lineBefore.endsWith('*/') || declaration.exec(lineBefore)?.[1] === name;
    return name === undefined || isDescribed ? [] : [name];
  });
}

test.each(['bin', 'cli', 'lambda', 'lib', 'local', 'packages/client/src', 'packages/scene/src'])(
  'each exported function and class in %s has a comment',
  (folder) => {
    const paths = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
    const sources = paths.filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'));
    const namesByPath = sources.map((path) => [
      path,
      findUndescribed(readFileSync(join(root, folder, path), 'utf8')),
    ]);
    expect(namesByPath.filter(([, names]) => names?.length)).toEqual([]);
  },
);
