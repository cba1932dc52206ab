/** A small AWS account in this process for bundled functions: tables, an image folder, and Lambda's Invoke API. */

import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { tableVariables, variables } from '../../../lambda/contract/environment';
import type { FunctionName } from '../../../lambda/contract/functions';
import { tiers } from '../../../lambda/contract/plans';
import type { TableName } from '../../../lambda/contract/tables';
import { createLocalAws, type LocalFunction } from '../../../local/aws';
import { type Engine, startEngine } from '../../contracts/dynamodb-engine';
import { builtFunction } from './built-function';
import { runBundle } from './run-bundle';

export interface LocalAccount {
  readonly engine: Engine;
  /** Where a function's bundle lies; built on first need. */
  folderOf(name: FunctionName): string;
  /** Every environment variable of the functions, and the URLs of the services. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Functions call one another as in AWS: by name, each in a process of its own. */
export async function startLocalAccount(): Promise<LocalAccount> {
  const engine = await startEngine();
  const images = mkdtempSync(join(tmpdir(), 'images-'));
  const built = new Map<FunctionName, string>();
  const folderOf = (name: FunctionName): string => {
    const folder = built.get(name) ?? builtFunction(name).folder;
    built.set(name, folder);
    return folder;
  };
  // Building stops this process, and with it the services that a running function waits for under its deadlines.
  for (const name of ['renderer', 'generator'] as const) folderOf(name);
  let environment: Readonly<Record<string, string>> = {};
  const called =
    (name: FunctionName): LocalFunction =>
    async (event) => {
      const { outcomes, log } = await runBundle(folderOf(name), [event], environment);
      if (outcomes[0]?.errorMessage !== undefined) throw new Error(`${outcomes[0].errorMessage}\n${log}`);
      return outcomes[0]?.result;
    };
  const failures: unknown[] = [];
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signingKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const signerMaster = 'example master secret of a stage';
  const secrets: Readonly<Record<string, string>> = {
    SigningSecret: signingKey,
    SignerSecret: signerMaster,
    AddressSecret: signerMaster,
  };
  const aws = createLocalAws({
    functions: { RendererFunction: called('renderer'), GeneratorFunction: called('generator') },
    secret: (id) => secrets[id],
    onFailure: (error) => failures.push(error),
  });
  const server = createServer((request, response) => void aws.answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const services = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const tableNames = Object.entries(tableVariables) as [TableName, string][];
  environment = {
    ...Object.fromEntries(tableNames.map(([table, variable]) => [variable, engine.tableNames[table]])),
    [variables.tierKeys]: JSON.stringify(
      Object.fromEntries(tiers.map((tier) => [tier, `tier-${tier}-${'0'.repeat(20)}`])),
    ),
    [variables.slotBindings]: JSON.stringify({ stock_a: 'sandbox', stock_b: 'sandbox', stock_c: 'sandbox' }),
    [variables.addressSecretId]: 'AddressSecret',
    [variables.imageBaseUrl]: 'https://images.example.org',
    [variables.imageStore]: pathToFileURL(images).href,
    [variables.rendererFunction]: 'RendererFunction',
    [variables.generatorFunction]: 'GeneratorFunction',
    [variables.signingSecretId]: 'SigningSecret',
    [variables.signingKeyPairId]: 'KEYPAIR',
    [variables.signerSecretId]: 'SignerSecret',
    [variables.contact]: 'ops@example.org',
    [variables.generator]: JSON.stringify({ kind: 'sandbox', longSidePx: 320 }),
    AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint,
    AWS_ENDPOINT_URL_LAMBDA: services,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: services,
  };
  return {
    engine,
    folderOf,
    environment,
    stop: async () => {
      await aws.drained();
      await new Promise((resolve) => server.close(resolve));
      await engine.stop();
      rmSync(images, { recursive: true, force: true });
      if (failures.length > 0) throw new AggregateError(failures, 'An asynchronous invocation failed');
    },
  };
}
