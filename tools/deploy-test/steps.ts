/** The steps of the deployment test, in their order. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentCertificates } from '../../lambda/contract/routes';
import { startService } from '../../test/e2e/local-service';
import { region } from './emulator';
import {
  type Account,
  assembleStack,
  createKey,
  deployStack,
  destroyStack,
  plantFault,
  putProviderKeys,
  synthesiseStage,
  unprotectStack,
} from './stack';

/** Steps by their titles, in their order. A step fails by throwing. */
export type Steps<World> = Readonly<Record<string, (world: World) => Promise<unknown>>>;

/** The setting that is changed: monthly requests of the free plan. */
const freeRequests = { first: 1_000, changed: 1_234, failing: 1_235 } as const;

export const templateSteps: Steps<Account> = {
  async 'cfn-lint of production'(account) {
    const template = await synthesiseStage(account, 'plain', 'prod', {});
    const lint = 'import sys; from cfnlint.runner import main; sys.exit(main())';
    // W3005 is ignored, because the CDK writes some dependencies twice.
    await account.run(account.python, ['-c', lint, '--ignore-checks', 'W3005', '--', template]);
  },
  async "SAM's routes"(account) {
    const template = await synthesiseStage(account, 'sam', 'dev', { sam: true });
    const lines = await account.run(account.samPython, [join(__dirname, 'sam_routes.py'), template]);
    for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE'])
      for (const path of ['/', '/{proxy+}', '/api/{proxy+}', '/mcp', '/v1/{proxy+}']) {
        const route = lines.split('\n').find((line) => line.startsWith(`${method} ${path} `)) ?? '';
        assert.match(route, / ApiFunction /, `SAM finds no function behind ${method} ${path}`);
        const needsNoKey = path === '/' || path === '/{proxy+}';
        assert.ok(needsNoKey || !route.endsWith(' -'), `SAM finds no authorizer before ${method} ${path}`);
      }
  },
  Bootstrap: ({ run }) => run('npx', ['cdk', 'bootstrap', `aws://000000000000/${region}`, '--no-notices']),
};

/** Deploys the service for the first time, with keys of a provider and of callers. */
export async function deployFirst(account: Account) {
  const assembly = await assembleStack(account, 'first', freeRequests.first);
  const { ApiUrl: url = '', StockProviders = '' } = await deployStack(account, assembly);
  await putProviderKeys(account, StockProviders, { unsplash: 'fake-key' });
  const keys = {
    live: await createKey(account, '--plan', 'pro'),
    test: await createKey(account, '--plan', 'pro', '--test'),
    free: await createKey(account, '--plan', 'free'),
  };
  return { ...account, url, assembly, keys };
}

type DeployedService = Awaited<ReturnType<typeof deployFirst>>;

/** The steps after the deployment. The last two destroy the stack, and test a service on this machine. */
export const serviceSteps: Steps<DeployedService> = {
  'A first image, for which each function starts': ({ url, keys }) =>
    expectStatus(`${url}/api/image/200x200-lake`, 302, keys.live),
  async 'Everything that every deployment answers'({ url, keys, run }) {
    const env = { E2E_URL: url, E2E_LIVE_KEY: keys.live, E2E_TEST_KEY: keys.test };
    const suite = ['jest', '--runTestsByPath', 'test/e2e/cases.test.ts'];
    const reach = `--setupFiles=${join(__dirname, 'account.ts')}`;
    await run('npx', [...suite, reach], { env });
  },
  async 'C2PA of an AI image, by its own implementation'({ url, keys, folder, run, python }) {
    const path = '/api/image/256x256-lighthouse.jpg?provider=ai';
    const { headers } = await expectStatus(url + path, 302, keys.test);
    const image = await expectStatus(headers.get('location') ?? '', 200);
    const certificates = await expectStatus(url + contentCertificates, 200);
    const file = join(folder, 'image.jpg');
    const anchors = join(folder, 'anchors.pem');
    writeFileSync(file, Buffer.from(await image.arrayBuffer()));
    writeFileSync(anchors, await certificates.text());
    const state = await run(python, [join(__dirname, 'read_manifest.py'), anchors, file]);
    assert.equal(state.trim(), 'Trusted');
  },
  async 'A setting, there and back'(deployed) {
    await expectFreeRequests(deployed, freeRequests.first);
    await deployStack(deployed, await assembleStack(deployed, 'changed', freeRequests.changed));
    await expectFreeRequests(deployed, freeRequests.changed);
    await deployStack(deployed, deployed.assembly);
    await expectFreeRequests(deployed, freeRequests.first);
  },
  async 'A deployment that fails, and is rolled back'(deployed) {
    // The setting changes, because cdk does not upload a template with a known hash again.
    const failing = await assembleStack(deployed, 'failing', freeRequests.failing);
    plantFault(failing);
    await assert.rejects(deployStack(deployed, failing), /PlantedFault/);
    await expectFreeRequests(deployed, freeRequests.first);
    await expectStatus(`${deployed.url}/api/image/200x200-forest`, 302, deployed.keys.live);
  },
  async 'Destruction, which the protection refuses first'(deployed) {
    await assert.rejects(destroyStack(deployed, deployed.assembly), /termination ?protection/i);
    await unprotectStack(deployed);
    await destroyStack(deployed, deployed.assembly);
  },
  async 'Requests that follow from openapi.json'({ folder, run, python }) {
    const { url, keys, stop } = await startService(['--memory']);
    try {
      const main = 'from schemathesis.cli import schemathesis; schemathesis()';
      const config = ['--no-color', '--config-file', join(__dirname, 'schemathesis.toml')];
      const key = `X-API-Key: ${keys.enterprise.live}`;
      const target = [`${url}/openapi.json`, '--url', url, '--header', key];
      await run(python, ['-c', main, ...config, 'run', ...target], { cwd: folder });
    } finally {
      await stop();
    }
  },
};

/** Requests a URL. Throws with the request id if the status is another. */
async function expectStatus(url: string, status: number, key?: string): Promise<Response> {
  const headers: Record<string, string> = key === undefined ? {} : { 'X-API-Key': key };
  const response = await fetch(url, { headers, redirect: 'manual' });
  if (response.status === status) return response;
  const { code, requestId } = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  throw new Error(
    `${new URL(url).pathname}: ${response.status} ${code} in place of ${status}, request ${requestId}`,
  );
}

/** Checks the limit of the free plan, as the service reports it. */
async function expectFreeRequests({ url, keys }: DeployedService, expected: number): Promise<void> {
  const response = await expectStatus(`${url}/api/usage`, 200, keys.free);
  assert.equal(((await response.json()) as { readonly limit: number }).limit, expected);
}
