/** Starts a fake of the local service: tables, secrets, and the URL at which the tool finds them. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { awsTimes, dynamoDbTimes } from '../../lambda/contract/timeouts';
import { createLocalAws } from '../../local/aws';
import { localIds } from '../../local/environment';
import { master } from '../../packages/client/test/vectors';
import { startEngine } from '../fakes/database';
import { listenOnLoopback } from '../fakes/loopback';
import { runTool } from './run-tool';

export type LocalFixture = Awaited<ReturnType<typeof startLocalFixture>>;

export async function startLocalFixture() {
  // Commands run in this process and in real time. On a busy machine their tables are slow, and have not failed.
  Object.assign(dynamoDbTimes, { attemptMs: 60_000, onlyAttemptMs: 60_000 });
  Object.assign(awsTimes, { connectionMs: 60_000 });
  const engine = await startEngine();
  const folder = mkdtempSync(join(tmpdir(), 'tool-'));
  const imageStoreUrl = pathToFileURL(join(folder, 'images')).href;
  let stockProviders: object | undefined;
  const secrets: Record<string, string> = { [localIds.signerSecret]: master };
  const aws = createLocalAws({ findSecret: (id) => secrets[id], onFailure: () => undefined });
  const service = await listenOnLoopback((request, response) => {
    if (request.headers['x-amz-target'] === 'secretsmanager.GetSecretValue')
      return void aws.respond(request, response);
    if (request.url !== '/_local') return void response.writeHead(404).end();
    const { endpoint: dynamodb, tableNames: tables } = engine;
    response.setHeader('Content-Type', 'application/json');
    const settings = {
      aws: service.address,
      signerSecretId: localIds.signerSecret,
      stockProviders,
      imageStoreUrl,
      generationsPerDay: '100',
    };
    response.end(JSON.stringify({ dynamodb, tables, ...settings }));
  });
  return {
    /** URL of the service, and of its Secrets Manager. */
    url: service.address,
    engine,
    /** Empty folder in which the tool runs. */
    folder,
    /** Runs the tool for this service. */
    run: (...args: readonly string[]) => runTool([...args, '--local', service.address], { cwd: folder }),
    /** Says how stock providers are configured, and what `the-secret` holds. */
    configure(configuration: Readonly<Record<string, unknown>>, secret: string) {
      const variables = Object.entries(configuration).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]);
      stockProviders = Object.fromEntries(variables);
      secrets['the-secret'] = secret;
    },
    async stop() {
      await service.stop();
      await engine.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
