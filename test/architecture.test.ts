/** Rules and use cases are pure: root files of a subject take clock, randomness, settings and the network as parameters. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const lambda = join(__dirname, '../lambda');
/** Entry points, transports and facts have no rules of their own. */
const exempt = new Set(['functions', 'aws', 'contract']);
/** The one root file that is an adapter: it hands over the real clock, ids and pauses. */
const system = 'base/system.ts';
/** Whatever answers differently from call to call, or reaches outside the process. */
const impure =
  /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bMath\.random\b|\bcrypto\.(randomUUID|getRandomValues)\b|\bimport \{[^}]*\brandom(UUID|Bytes|Int)\b[^}]*\} from|\bprocess\.(env|hrtime)\b|(?<![.\w])fetch\(|from '(@aws-sdk|@smithy)/;

const rootFiles = readdirSync(lambda, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !exempt.has(entry.name))
  .flatMap(({ name }) => readdirSync(join(lambda, name)).map((file) => `${name}/${file}`))
  .filter((path) => path.endsWith('.ts') && path !== system);

/** What a file does, without what its comments say. */
function codeOf(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

it('finds the root files of the subjects', () => {
  expect(rootFiles.length).toBeGreaterThan(50);
});

it.each(rootFiles)('%s reads no clock, randomness, environment or network of its own', (path) => {
  expect(impure.exec(codeOf(readFileSync(join(lambda, path), 'utf8')))?.[0]).toBeUndefined();
});

it.each([
  'const nowMs = Date.now();',
  'const at = new Date();',
  'const id = crypto.randomUUID();',
  "import { randomBytes } from 'node:crypto';",
  'const stage = process.env["STAGE"];',
  "const page = await fetch('https://example.com');",
  "import { DynamoDBClient } from '@aws-sdk/client-dynamodb';",
])('would notice `%s`', (line) => {
  expect(impure.test(codeOf(line))).toBe(true);
});
