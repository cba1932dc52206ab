/** Requests that another program derives from the OpenAPI document, against the local service. */

import { execFile } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import { readFacts } from '../../tools/deploy-test/facts';
import { type RunningService, startService } from '../e2e/local-service';

const { python, memoryFile } = readFacts();

jest.setTimeout(180_000);

let service: RunningService;
beforeAll(async () => {
  service = await startService(['--memory']);
});
afterAll(() => service?.stop());

test('whatever follows from openapi.json, and whatever contradicts it, is answered as it says, and by no fault', async () => {
  const { url, keys } = service;
  const main = 'from schemathesis.cli import schemathesis; schemathesis()';
  const args = [
    ...['-c', main, '--no-color', '--config-file', resolve('tools/deploy-test/schemathesis.toml')],
    ...['run', `${url}/openapi.json`, '--url', url, '--header', `X-API-Key: ${keys.enterprise.live}`],
  ];
  const { stdout } = await promisify(execFile)(python, args, {
    cwd: dirname(memoryFile),
  }).catch((failure: { readonly stdout: string }) => failure);
  expect(stdout).toContain('No issues found');
});
