// Runs the end-to-end table against any deployment:
// npm run -s test:e2e -- --url https://… --live-key … --test-key …
// Keys may also come as E2E_LIVE_KEY and E2E_TEST_KEY, which no list of processes and no log shows.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const variables = { url: 'E2E_URL', 'live-key': 'E2E_LIVE_KEY', 'test-key': 'E2E_TEST_KEY' };
const usage = `Asks a deployment everything that every deployment must answer. About 20 requests are charged.

  npm run -s test:e2e -- --url https://… --live-key KEY --test-key KEY

  --url       root of the service, as the deployment's ApiUrl output says it   (or E2E_URL)
  --live-key  a live key                                                       (or E2E_LIVE_KEY)
  --test-key  a test key                                                       (or E2E_TEST_KEY)
  --help      show this

-s keeps npm from printing the command with its keys.
`;

function fail(message) {
  // What stands on the command line may be a key, so it is not repeated.
  process.stderr.write(`${message}\n\n${usage}`);
  process.exit(2);
}

function read() {
  const texts = Object.fromEntries(Object.keys(variables).map((name) => [name, { type: 'string' }]));
  try {
    return parseArgs({ options: { ...texts, help: { type: 'boolean' } } }).values;
  } catch {
    return fail('The command line is not understood.');
  }
}

const { help, ...given } = read();
if (help) {
  process.stdout.write(usage);
  process.exit(0);
}
const env = { ...process.env };
for (const [name, variable] of Object.entries(variables)) if (given[name]) env[variable] = given[name];
for (const [name, variable] of Object.entries(variables)) if (!env[variable]) fail(`--${name} is missing.`);
if (!/^https?:\/\/./.test(env.E2E_URL)) fail('--url takes a URL that starts with http:// or https://.');

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const jest = ['--no-warnings', 'node_modules/jest/bin/jest.js', '--runTestsByPath', 'test/e2e/cases.test.ts'];
const { status } = spawnSync(process.execPath, jest, { cwd: root, env, stdio: 'inherit' });
process.exit(status ?? 1);
