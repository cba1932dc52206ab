/** Starts a small AWS account in this process for bundled functions: tables, images, secrets, Lambda. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createLocalAws, type LocalFunction } from '../../../local/aws';
import { localIds, makeEnvironment } from '../../../local/environment';
import { openServer } from '../../../local/http';
import { createState } from '../../../local/state';
import { startEngine } from '../../fakes/database';
import { buildOnce } from './built-function';
import { runBundle } from './run-bundle';

/** Functions call one another as in AWS: by name, each in a process of its own. */
export async function startLocalAccount() {
  const engine = await startEngine();
  const folder = mkdtempSync(join(tmpdir(), 'images-'));
  const state = await createState();
  const secrets: Readonly<Record<string, string>> = {
    [localIds.signingSecret]: state.signingKey,
    [localIds.signerSecret]: state.signerSecret,
    [localIds.addressSecret]: state.addressSecret,
  };
  /** Every environment variable of the functions, and the URLs of the services. */
  let environment: Readonly<Record<string, string | undefined>> = {};
  const createCaller = (name: 'renderer' | 'generator'): LocalFunction => {
    // Building stops this process, and with it the services that a running function waits for under its
    // deadlines.
    const { folder: built } = buildOnce(name);
    return async (event) => {
      const { outcomes, log } = await runBundle(built, [event], environment);
      if (outcomes[0]?.errorMessage !== undefined) throw new Error(`${outcomes[0].errorMessage}\n${log}`);
      return outcomes[0]?.result;
    };
  };
  const failures: unknown[] = [];
  const aws = createLocalAws({
    functions: { renderer: createCaller('renderer'), generator: createCaller('generator') },
    findSecret: (id) => secrets[id],
    onFailure: (error) => failures.push(error),
  });
  const server = await openServer(0, aws.respond);
  const sandboxed = { stock_a: 'sandbox', stock_b: 'sandbox', stock_c: 'sandbox' } as const;
  environment = makeEnvironment({
    options: {
      ...{ bind: sandboxed, imageDelivery: 'provider', aiLabel: 'off', anonymousPerHour: 10 },
      contentCredentials: 'off',
    },
    addresses: { dynamodb: engine.endpoint, aws: server.url, tables: engine.tableNames },
    state,
    endpoints: {},
    token: 'local',
    imageStoreUrl: pathToFileURL(folder).href,
    demoKey: '',
    url: 'https://images.example.org',
  });
  return {
    engine,
    environment,
    stop: async () => {
      await aws.awaitDrained();
      await server.stop();
      await engine.stop();
      rmSync(folder, { recursive: true, force: true });
      if (failures.length > 0) throw new AggregateError(failures, 'An asynchronous invocation failed');
    },
  };
}
