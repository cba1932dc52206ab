// Runs the contract suites of the DynamoDB adapters on another engine than the embedded one: `npm run test:engines`.
// The engine is dynoxide, SQLite behind DynamoDB's interface. With DYNAMODB_ENDPOINT set, the suites
// run on what is there instead.
import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const version = '1.2.1';

/** The engine's binary for this platform, which npm keeps in its cache. */
function install() {
  const name = `@dynoxide/${process.platform}-${process.arch}`;
  const find = `require.resolve('${name}/package.json', { paths: process.env.PATH.split(require('path').delimiter) })`;
  const args = ['exec', '--yes', `--package=${name}@${version}`, '--', 'node', '-p', find];
  const { status, stdout } = spawnSync('npm', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) process.exit(1);
  return join(dirname(stdout.trim()), 'dynoxide');
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function runSuites(endpoint) {
  const args = [
    'node_modules/jest/bin/jest.js',
    '--runInBand',
    '--testTimeout=120000',
    'test/[a-z]+/dynamodb',
  ];
  const env = { ...process.env, DYNAMODB_ENDPOINT: endpoint };
  return spawnSync(process.execPath, args, { cwd: root, env, stdio: 'inherit' }).status ?? 1;
}

const given = process.env.DYNAMODB_ENDPOINT;
if (given) process.exit(runSuites(given));

const port = await freePort();
const engine = spawn(install(), ['--port', String(port)], { stdio: 'ignore' });
engine.on('error', (error) => {
  process.stderr.write(`The engine could not be started: ${error.message}\n`);
  process.exit(1);
});
const endpoint = `http://127.0.0.1:${port}`;
const isUp = () =>
  fetch(endpoint).then(
    () => true,
    () => false,
  );
for (let i = 0; i < 100 && !(await isUp()); i++) await new Promise((resolve) => setTimeout(resolve, 100));
const status = runSuites(endpoint);
engine.kill();
process.exit(status);
