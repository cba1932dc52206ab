/** Lists the steps of the deployment test in their order. They deploy the stack as an operator does it. */

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { CloudFormationClient, UpdateTerminationProtectionCommand } from '@aws-sdk/client-cloudformation';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { contentCertificates } from '../../lambda/contract/routes';
import { startService } from '../../test/e2e/local-service';
import { region } from './emulator';
import type { Run } from './run';

const stackName = 'ImageRedirect-prod';

/** The providers of the slots. Fake ones replace them. Unsplash needs a key. */
export const slotBindings = { stock_a: 'openverse', stock_b: 'wikimedia', stock_c: 'unsplash' } as const;

/** The emulated account, and programs for the steps of the test. */
export interface EmulatedAccount {
  readonly folder: string;
  readonly run: Run;
  /** Python with cfn-lint, C2PA and Schemathesis. */
  readonly python: string;
  /** Python with SAM, whose packages exclude the others. */
  readonly samPython: string;
  readonly certificateFile: string;
  readonly endpoints: Readonly<Record<string, string>>;
}

type Resources = Record<
  string,
  { Type: string; Properties?: { Environment?: { Variables: Record<string, string> } } }
>;

/** Steps by their titles, in their order. A step fails by throwing. */
export type Steps<World> = Readonly<Record<string, (world: World) => Promise<unknown>>>;

/** The setting that is changed: monthly requests of the free plan. */
const freeRequests = { first: 1_000, changed: 1_234, failing: 1_235 } as const;

export const templateSteps: Steps<EmulatedAccount> = {
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
export async function deployFirst(account: EmulatedAccount) {
  const assembly = await assembleStack(account, 'first', freeRequests.first);
  const { ApiUrl: url = '', StockProviders = '{}' } = await deployStack(account, assembly);
  const SecretId = JSON.parse(StockProviders).PROVIDER_SECRET_ID;
  const value = { SecretId, SecretString: '{"unsplash":"fake-key"}' };
  await new SecretsManagerClient(makeClientOptions(account)).send(new PutSecretValueCommand(value));
  const keys = {
    live: await createKey(account, '--plan', 'pro'),
    test: await createKey(account, '--plan', 'pro', '--test'),
    free: await createKey(account, '--plan', 'free'),
  };
  return { ...account, url, assembly, keys };
}

type DeployedService = Awaited<ReturnType<typeof deployFirst>>;

/** The steps after the deployment. The last but one destroys the stack. The last one tests a local service. */
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
    const failingAssembly = await assembleStack(deployed, 'failing', freeRequests.failing);
    plantFault(failingAssembly);
    await assert.rejects(deployStack(deployed, failingAssembly), /PlantedFault/);
    await expectFreeRequests(deployed, freeRequests.first);
    await expectStatus(`${deployed.url}/api/image/200x200-forest`, 302, deployed.keys.live);
  },
  async 'Destruction, which the protection refuses first'(deployed) {
    await assert.rejects(destroyStack(deployed, deployed.assembly), /termination ?protection/i);
    const protectionOff = { StackName: stackName, EnableTerminationProtection: false };
    const cloudFormation = new CloudFormationClient(makeClientOptions(deployed));
    await cloudFormation.send(new UpdateTerminationProtectionCommand(protectionOff));
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

/** Synthesises a stage into a subfolder of the run. Returns the file of its template. */
async function synthesiseStage(
  { run, folder }: EmulatedAccount,
  name: string,
  stage: 'dev' | 'prod',
  settings: object,
): Promise<string> {
  const context = Object.entries({ stage, ...settings }).flatMap(([setting, value]) => [
    '-c',
    `${setting}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  ]);
  await run('npx', ['cdk', 'synth', '--quiet', '--no-notices', '-o', join(folder, name), ...context]);
  return join(folder, name, `ImageRedirect-${stage}.template.json`);
}

/** Synthesises production. Adds the URLs of fake providers, for which there is no setting. Returns the folder. */
async function assembleStack(account: EmulatedAccount, name: string, freeRequests: number): Promise<string> {
  const settings = {
    architecture: process.arch === 'arm64' ? 'arm64' : 'x86_64',
    slotBindings,
    providerQuotas: { openverse: { perMinute: 1_000 }, wikimedia: { perMinute: 1_000 } },
    generator: { kind: 'sandbox' },
    plans: { free: { monthlyRequests: freeRequests } },
  };
  editTemplate(await synthesiseStage(account, name, 'prod', settings), (resources) => {
    for (const id of ['ApiFunction', 'RendererFunction']) {
      const variables = resources[id]?.Properties?.Environment?.Variables;
      if (variables) variables['PROVIDER_ENDPOINTS'] = JSON.stringify(account.endpoints);
    }
  });
  return join(account.folder, name);
}

/** Adds a resource that CloudFormation cannot create. It comes after all other resources. */
function plantFault(assembly: string): void {
  editTemplate(join(assembly, `${stackName}.template.json`), (resources) => {
    const DependsOn = Object.keys(resources);
    resources['PlantedFault'] = { Type: 'AWS::Planted::Fault', DependsOn } as Resources[string];
  });
}

function editTemplate(file: string, edit: (resources: Resources) => void): void {
  const template = JSON.parse(readFileSync(file, 'utf8')) as { Resources: Resources };
  edit(template.Resources);
  writeFileSync(file, JSON.stringify(template));
}

async function deployStack(account: EmulatedAccount, assembly: string): Promise<Record<string, string>> {
  const outputs = join(account.folder, 'outputs.json');
  const flags = ['--require-approval', 'never', '--progress', 'events', '--outputs-file', outputs];
  await account.run('npx', ['cdk', 'deploy', stackName, '--app', assembly, '--no-notices', ...flags]);
  return JSON.parse(readFileSync(outputs, 'utf8'))[stackName];
}

const destroyStack = ({ run }: EmulatedAccount, assembly: string) =>
  run('npx', ['cdk', 'destroy', stackName, '--app', assembly, '--force', '--no-notices']);

async function createKey({ run }: EmulatedAccount, ...args: readonly string[]): Promise<string> {
  const tool = ['--no-warnings', '--import', 'tsx', 'bin/image-redirect.ts', 'keys', 'create'];
  const options = ['--name', 'test', '--stack', stackName, '--json', ...args];
  return JSON.parse(await run('node', [...tool, ...options])).key;
}

// Node.js reads NODE_EXTRA_CA_CERTS only at its start.
const makeClientOptions = ({ certificateFile }: EmulatedAccount) => ({
  requestHandler: { httpsAgent: new Agent({ ca: readFileSync(certificateFile) }) },
});
