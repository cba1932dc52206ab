/** Root files of subjects take clock, settings and network as parameters; exported functions are described. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..');
const lambda = join(root, 'lambda');
/** Entry points, transports and facts have no rules of their own. */
const exempt = new Set(['functions', 'aws', 'contract']);
/** The root files that are adapters: they hand over the clock and the ids of this machine. */
const adapters = new Set(['base/clock.ts', 'base/ids.ts']);
/** A text for browsers. */
const browserText = 'problems/reload-script.ts';
/**
 * Whatever answers differently from call to call, or reaches outside the process. Commands of DynamoDB are
 * data: they stand in the store of their subject.
 */
const impure =
  /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bMath\.random\b|\bcrypto\.(randomUUID|getRandomValues)\b|\bimport \{[^}]*\brandom(UUID|Bytes|Int)\b[^}]*\} from|\bprocess\.(env|hrtime)\b|(?<![.\w])fetch\(|from '(@aws-sdk\/(?!lib-dynamodb')|@smithy\/)/;

const rootFiles = readdirSync(lambda, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !exempt.has(entry.name))
  .flatMap(({ name }) => readdirSync(join(lambda, name)).map((file) => `${name}/${file}`))
  .filter((path) => path.endsWith('.ts') && !adapters.has(path) && path !== browserText);

/** Returns the code of a file, without its comments. */
function codeOf(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

test.each(rootFiles)('%s reads no clock, randomness, environment or network of its own', (path) => {
  expect(impure.exec(codeOf(readFileSync(join(lambda, path), 'utf8')))?.[0]).toBeUndefined();
});

/** The functions and classes that a source exports under no comment. Overloads share that of the first. */
function undescribed(source: string): readonly string[] {
  const declaration = /^export (?:abstract |async )*(?:function\*?|class) (\w+)/;
  const lines = source.split('\n');
  return lines.flatMap((line, index) => {
    const name = declaration.exec(line)?.[1];
    const before = lines[index - 1] ?? '';
    const isDescribed = before.endsWith('*/') || declaration.exec(before)?.[1] === name;
    return name === undefined || isDescribed ? [] : [name];
  });
}

test.each(['bin', 'cli', 'lambda', 'lib', 'local', 'packages/client/src', 'packages/scene/src'])(
  'each function and class that a file of %s exports is described',
  (folder) => {
    const paths = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
    const sources = paths.filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'));
    const found = sources.map((path) => [path, undescribed(readFileSync(join(root, folder, path), 'utf8'))]);
    expect(found.filter(([, names]) => names?.length)).toEqual([]);
  },
);
