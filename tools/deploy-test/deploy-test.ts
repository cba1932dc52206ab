/**
 * The deployment test, in an emulated AWS account on this machine: deploys production, runs the end-to-end
 * table, changes a setting there and back, rolls back a deployment that fails, and destroys the stack. Needs
 * Linux, Python 3.10 or newer, and at the first time the package registries.
 */

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  CloudFormationClient,
  DescribeStackResourceCommand,
  DescribeStacksCommand,
  UpdateTerminationProtectionCommand,
} from '@aws-sdk/client-cloudformation';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { contentCertificates } from '../../lambda/contract/routes';
import { startFakeProviders } from '../../local/fake-providers/start';
import { reachAccount } from './account';
import { region, startEmulator } from './emulator';
import { Failure, type Run, runner } from './run';

const root = join(__dirname, '..', '..');
const stackName = 'ImageRedirect-prod';
/** The Node.js that the functions run on in AWS. */
const functionNode = '24.21.0';
const slots = { stock_a: 'openverse', stock_b: 'wikimedia', stock_c: 'unsplash' } as const;
const freeRequests = { first: 1_000, changed: 1_234, failing: 1_235 } as const;

const say = (text: string) => process.stderr.write(`${text}\n`);

async function step<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const startMs = Date.now();
  const result = await work();
  say(`${name}: ${((Date.now() - startMs) / 1_000).toFixed(1)} s`);
  return result;
}

/** Installs the Python packages of a list once, into `.cache/`. @returns the Python program that has them */
async function pythonWith(list: string, run: Run): Promise<string> {
  const requirements = join(__dirname, list);
  const version = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const home = join(root, '.cache', `python-${version}`);
  if (!existsSync(home)) {
    const draft = `${home}.${process.pid}`;
    mkdirSync(dirname(draft), { recursive: true });
    await run('python3', ['-m', 'venv', draft]);
    // Its scripts name the draft folder, but only its Python is called. No package runs code to be installed.
    const flags = ['--quiet', '--disable-pip-version-check', '--no-input', '--only-binary=:all:'];
    await run(join(draft, 'bin', 'python'), ['-m', 'pip', 'install', ...flags, '-r', requirements]);
    renameSync(draft, home);
  }
  return join(home, 'bin', 'python');
}

/** Folder of the functions' Node.js, which npm fetches once. */
async function nodeFolderOf(run: Run): Promise<string> {
  const node = `node-${process.platform}-${process.arch}@${functionNode}`;
  const args = ['exec', '--yes', '--ignore-scripts', `--package=${node}`, '-c', 'node -p process.execPath'];
  return dirname((await run('npm', args)).trim());
}

/** Synthesises a stage into a folder. @returns its template's file */
async function synthesise(
  run: Run,
  folder: string,
  stage: 'dev' | 'prod',
  settings: object,
): Promise<string> {
  const context = Object.entries({ stage, ...settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  ]);
  await run('npx', ['cdk', 'synth', '--quiet', '--no-notices', '-o', folder, ...context]);
  return join(folder, `ImageRedirect-${stage}.template.json`);
}

type Resources = Record<
  string,
  { Type: string; Properties?: { Environment?: { Variables: Record<string, string> } } }
>;

function editTemplate(file: string, edit: (resources: Resources) => void): void {
  const template = JSON.parse(readFileSync(file, 'utf8')) as { Resources: Resources };
  edit(template.Resources);
  writeFileSync(file, JSON.stringify(template));
}

/** Expects work to fail for a reason. @throws `Failure` where it succeeds, or fails otherwise */
async function expectFailure(work: () => Promise<unknown>, reason: RegExp): Promise<void> {
  const message = await work().then(
    () => 'it succeeded',
    (error: unknown) => (error instanceof Failure ? error.message : Promise.reject(error)),
  );
  if (!reason.test(message)) throw new Failure(`Expected a failure that says ${reason}: ${message}`);
}

/** Requests a URL and expects a status. @throws `Failure` with the request id of another answer */
async function expectAnswer(
  url: string,
  status: number,
  headers: Record<string, string> = {},
): Promise<Response> {
  const answer = await fetch(url, { headers, redirect: 'manual' });
  if (answer.status === status) return answer;
  const { code, requestId } = (await answer.json().catch(() => ({}))) as Record<string, unknown>;
  throw new Failure(
    `${new URL(url).pathname}: ${answer.status} ${code} in place of ${status}, request ${requestId}`,
  );
}

async function main(folder: string, stops: (() => Promise<void>)[]): Promise<void> {
  if (process.platform !== 'linux')
    throw new Failure('The deployment test needs Linux: functions run as deployed.');
  const onMachine = runner(folder, process.env);
  const python = await step('Python packages', () => pythonWith('requirements.txt', onMachine));
  // SAM's packages and those of the emulated account exclude one another.
  const samPython = await step('SAM', () => pythonWith('sam.txt', onMachine));
  const nodeFolder = await step('Node.js of the functions', () => nodeFolderOf(onMachine));
  const emulator = await step('Emulated account', () => startEmulator(python, nodeFolder, folder));
  stops.push(emulator.stop);
  const fakes = await startFakeProviders(Object.values(slots));
  stops.push(fakes.stop);
  const environment = reachAccount(emulator, nodeFolder, folder);
  const run = runner(folder, environment);

  const settings = {
    architecture: process.arch === 'arm64' ? 'arm64' : 'x86_64',
    slotBindings: slots,
    providerQuotas: { openverse: { perMinute: 1_000 }, wikimedia: { perMinute: 1_000 } },
    generator: { kind: 'sandbox' },
    plans: { free: { monthlyRequests: freeRequests.first } },
  };
  /** Synthesises production with URLs of fake providers, for which a stage has no setting. */
  const assemble = async (name: string, changes: object = {}) => {
    const assembly = join(folder, name);
    editTemplate(await synthesise(run, assembly, 'prod', { ...settings, ...changes }), (resources) => {
      for (const id of ['ApiFunction', 'RendererFunction']) {
        const variables = resources[id]?.Properties?.Environment?.Variables;
        if (variables) variables['PROVIDER_ENDPOINTS'] = JSON.stringify(fakes.endpoints);
      }
    });
    return assembly;
  };
  const deploy = async (assembly: string): Promise<Record<string, string>> => {
    const outputs = join(folder, 'outputs.json');
    const flags = ['--require-approval', 'never', '--progress', 'events', '--outputs-file', outputs];
    await run('npx', ['cdk', 'deploy', stackName, '--app', assembly, '--no-notices', ...flags]);
    return JSON.parse(readFileSync(outputs, 'utf8'))[stackName];
  };
  // Node.js reads NODE_EXTRA_CA_CERTS at its start only.
  const requestHandler = { httpsAgent: new Agent({ ca: readFileSync(emulator.certificateFile) }) };
  const cloudFormation = new CloudFormationClient({ requestHandler });
  const statusOf = async () =>
    (await cloudFormation.send(new DescribeStacksCommand({ StackName: stackName }))).Stacks?.[0]?.StackStatus;

  await step('cfn-lint of production', async () => {
    const template = await synthesise(run, join(folder, 'plain'), 'prod', {});
    const lint = 'import sys; from cfnlint.runner import main; sys.exit(main())';
    // W3005: the CDK states some dependencies twice.
    await run(python, ['-c', lint, '--ignore-checks', 'W3005', '--', template]);
  });
  await step("SAM's routes", async () => {
    const template = await synthesise(run, join(folder, 'sam'), 'dev', { sam: true });
    const routes = (await run(samPython, [join(__dirname, 'sam_routes.py'), template])).trim().split('\n');
    for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE']) {
      const find = (path: string) => routes.find((route) => route.startsWith(`${method} ${path} `)) ?? '';
      for (const path of ['/', '/{proxy+}', '/api/{proxy+}', '/mcp', '/v1/{proxy+}'])
        if (!/ ApiFunction /.test(find(path)))
          throw new Failure(`SAM finds no function behind ${method} ${path}`);
      for (const path of ['/api/{proxy+}', '/mcp', '/v1/{proxy+}'])
        if (/ -$/.test(find(path))) throw new Failure(`SAM finds no authorizer before ${method} ${path}`);
    }
  });
  const assembly = await step('Synthesis', () => assemble('first'));
  await step('Bootstrap', () =>
    run('npx', ['cdk', 'bootstrap', `aws://000000000000/${region}`, '--no-notices']),
  );
  const deployed = await step('Deployment', () => deploy(assembly));
  const url = String(deployed['ApiUrl']);
  await step('Key of a provider', async () => {
    const resource = new DescribeStackResourceCommand({
      StackName: stackName,
      LogicalResourceId: 'ProviderSecret',
    });
    const { StackResourceDetail: secret } = await cloudFormation.send(resource);
    const SecretString = JSON.stringify({ unsplash: 'fake-key' });
    const SecretId = secret?.PhysicalResourceId;
    await new SecretsManagerClient({ requestHandler }).send(
      new PutSecretValueCommand({ SecretId, SecretString }),
    );
  });
  const keys = await step('Keys, by the command line', async () => {
    const create = async (...args: readonly string[]) => {
      const tool = ['--no-warnings', '--import', 'tsx', 'bin/image-redirect.ts', 'keys', 'create'];
      const common = ['--name', 'test', '--stack', stackName, '--json'];
      return JSON.parse(await run('node', [...tool, ...args, ...common])).key as string;
    };
    return {
      live: await create('--plan', 'pro'),
      test: await create('--plan', 'pro', '--test'),
      free: await create('--plan', 'free'),
    };
  });

  await step('A first image, for which each function starts', () =>
    expectAnswer(`${url}/api/image/200x200-lake`, 302, { 'X-API-Key': keys.live }),
  );
  await step('Everything that every deployment answers', async () => {
    const suite = { E2E_URL: url, E2E_LIVE_KEY: keys.live, E2E_TEST_KEY: keys.test };
    const jest = ['jest', '--runTestsByPath', 'test/e2e/cases.test.ts'];
    const reach = [`--setupFiles=${join(__dirname, 'account.ts')}`];
    await runner(folder, { ...environment, ...suite })('npx', [...jest, ...reach], { isShown: true });
  });
  await step('C2PA of an AI image, by its own implementation', async () => {
    const path = '/api/image/256x256-lighthouse.jpg?provider=ai';
    const { headers } = await expectAnswer(url + path, 302, { 'X-API-Key': keys.test });
    const image = await expectAnswer(headers.get('location') ?? '', 200);
    const [file, anchors] = [join(folder, 'image.jpg'), join(folder, 'anchors.pem')];
    writeFileSync(file, Buffer.from(await image.arrayBuffer()));
    writeFileSync(anchors, await (await expectAnswer(url + contentCertificates, 200)).text());
    const state = await run(python, [join(__dirname, 'read_manifest.py'), anchors, file]);
    if (state.trim() !== 'Trusted') throw new Failure(`The manifest of an AI image is ${state.trim()}.`);
  });
  /** The limit of the free plan, as the service says it. */
  const freeLimit = async () =>
    (
      (await (await expectAnswer(`${url}/api/usage`, 200, { 'X-API-Key': keys.free })).json()) as {
        limit: number;
      }
    ).limit;
  const expectLimit = async (limit: number) => {
    const found = await freeLimit();
    if (found !== limit) throw new Failure(`The free plan has ${found} requests, not ${limit}.`);
  };
  await step('A setting, there and back', async () => {
    await expectLimit(freeRequests.first);
    await deploy(await assemble('changed', { plans: { free: { monthlyRequests: freeRequests.changed } } }));
    await expectLimit(freeRequests.changed);
    await deploy(assembly);
    await expectLimit(freeRequests.first);
  });
  await step('A deployment that fails, and is rolled back', async () => {
    // Another setting, as cdk uploads no template again whose hash it knows.
    const failing = await assemble('failing', { plans: { free: { monthlyRequests: freeRequests.failing } } });
    editTemplate(join(failing, `${stackName}.template.json`), (resources) => {
      const DependsOn = Object.keys(resources);
      resources['PlantedFault'] = { Type: 'AWS::Planted::Fault', DependsOn } as Resources[string];
    });
    await expectFailure(() => deploy(failing), /PlantedFault/);
    const status = await statusOf();
    if (status !== 'UPDATE_ROLLBACK_COMPLETE') throw new Failure(`The stack is ${status}.`);
    await expectLimit(freeRequests.first);
    await expectAnswer(`${url}/api/image/200x200-forest`, 302, { 'X-API-Key': keys.live });
  });
  await step('Destruction, which the protection refuses first', async () => {
    const destroy = () =>
      run('npx', ['cdk', 'destroy', stackName, '--app', assembly, '--force', '--no-notices']);
    await expectFailure(destroy, /termination ?protection/i);
    const off = { StackName: stackName, EnableTerminationProtection: false };
    await cloudFormation.send(new UpdateTerminationProtectionCommand(off));
    await destroy();
    const status = await statusOf().catch(() => undefined);
    if (status !== undefined && status !== 'DELETE_COMPLETE') throw new Failure(`The stack is ${status}.`);
  });
  await step('Requests that follow from openapi.json', async () => {
    const main = 'from schemathesis.cli import schemathesis; schemathesis()';
    const config = ['--no-color', '--config-file', join(__dirname, 'schemathesis.toml')];
    const local = await startLocalService(stops);
    const target = [`${local.url}/openapi.json`, '--url', local.url, '--header', `X-API-Key: ${local.key}`];
    await onMachine(python, ['-c', main, ...config, 'run', ...target], { cwd: folder });
  });
}

/** Starts a local service, for requests that follow from its OpenAPI document. */
async function startLocalService(
  stops: (() => Promise<void>)[],
): Promise<{ readonly url: string; readonly key: string }> {
  const { startService } = await import('../../test/e2e/local-service');
  const service = await startService(['--memory']);
  stops.push(async () => void (await service.stop()));
  return { url: service.url, key: service.keys.enterprise.live };
}

const folder = mkdtempSync(join(tmpdir(), 'deployment-test-'));
const stops: (() => Promise<void>)[] = [];
main(folder, stops)
  .then(() => say('The deployment test has passed.'))
  .catch((error: unknown) => {
    process.exitCode = 1;
    say(error instanceof Failure ? error.message : String((error as Error).stack));
    say(`Logs are in ${folder}`);
  })
  .finally(async () => {
    for (const stop of stops.reverse()) await stop();
    if (process.exitCode !== 1) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
