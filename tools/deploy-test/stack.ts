/** The stack in the emulated account: it is synthesised, deployed and destroyed as an operator does it. */

import { readFileSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { CloudFormationClient, UpdateTerminationProtectionCommand } from '@aws-sdk/client-cloudformation';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Run } from './run';

const stackName = 'ImageRedirect-prod';

/** The providers of the slots. Fake ones replace them. Unsplash needs a key. */
export const slotBindings = { stock_a: 'openverse', stock_b: 'wikimedia', stock_c: 'unsplash' } as const;

/** The emulated account, and programs for the steps of the test. */
export interface Account {
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

/** Synthesises a stage into a subfolder of the run. Returns the file of its template. */
export async function synthesiseStage(
  { run, folder }: Account,
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
export async function assembleStack(account: Account, name: string, freeRequests: number): Promise<string> {
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
export function plantFault(assembly: string): void {
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

export async function deployStack(account: Account, assembly: string): Promise<Record<string, string>> {
  const outputs = join(account.folder, 'outputs.json');
  const flags = ['--require-approval', 'never', '--progress', 'events', '--outputs-file', outputs];
  await account.run('npx', ['cdk', 'deploy', stackName, '--app', assembly, '--no-notices', ...flags]);
  return JSON.parse(readFileSync(outputs, 'utf8'))[stackName];
}

export const destroyStack = ({ run }: Account, assembly: string) =>
  run('npx', ['cdk', 'destroy', stackName, '--app', assembly, '--force', '--no-notices']);

export async function unprotectStack(account: Account): Promise<void> {
  const off = { StackName: stackName, EnableTerminationProtection: false };
  const cloudFormation = new CloudFormationClient(makeClientOptions(account));
  await cloudFormation.send(new UpdateTerminationProtectionCommand(off));
}

export async function putProviderKeys(account: Account, stockProviders: string, keys: object): Promise<void> {
  const SecretId = JSON.parse(stockProviders).PROVIDER_SECRET_ID;
  const value = { SecretId, SecretString: JSON.stringify(keys) };
  await new SecretsManagerClient(makeClientOptions(account)).send(new PutSecretValueCommand(value));
}

export async function createKey({ run }: Account, ...args: readonly string[]): Promise<string> {
  const tool = ['--no-warnings', '--import', 'tsx', 'bin/image-redirect.ts', 'keys', 'create'];
  const common = ['--name', 'test', '--stack', stackName, '--json'];
  return JSON.parse(await run('node', [...tool, ...args, ...common])).key;
}

// Node.js reads NODE_EXTRA_CA_CERTS only at its start.
const makeClientOptions = ({ certificateFile }: Account) => ({
  requestHandler: { httpsAgent: new Agent({ ca: readFileSync(certificateFile) }) },
});
