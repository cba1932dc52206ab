// Runs the contract suites of the DynamoDB adapters on another engine than the embedded one: `npm run test:engines`.
// The engine is dynoxide, SQLite behind DynamoDB's interface. With DYNAMODB_ENDPOINT set, the suites
// run on what is there instead.
import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lockedPackage } from './locked-packages.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

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
const engine = spawn(join(lockedPackage('dynoxide'), 'dynoxide'), ['--port', String(port)], {
  stdio: 'ignore',
});
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
