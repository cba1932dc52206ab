/** A fake of the local service for the providers command: a table, a secret, fake providers, and the configuration of the functions. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LookupCache } from '../../../lambda/base/lookup-cache';
import { systemClock } from '../../../lambda/base/system';
import { createLookupCache } from '../../../lambda/stock/dynamodb/lookup-cache';
import { createSecretsEndpoint } from '../../../local/aws/secrets-endpoint';
import { type StartedFakeProviders, startFakeProviders } from '../../../local/fake-providers/start';
import { type Engine, startEngine } from '../../contracts/dynamodb-engine';
import { listenOnLoopback } from '../../fakes/loopback';
import { type Ended, runTool } from '../run-tool';

export interface ProviderStage {
  readonly url: string;
  readonly engine: Engine;
  readonly fakeProviders: StartedFakeProviders;
  /** URL of its Secrets Manager. */
  readonly aws: string;
  readonly folder: string;
  readonly lookups: LookupCache;
  /** Configures the functions of the next service, and its keys by provider. */
  tell(
    configuration: Readonly<Record<string, unknown>>,
    keys?: Readonly<Record<string, string>> | string,
  ): void;
  /** Runs the tool for this service. */
  run(...args: string[]): Promise<Ended>;
  stop(): Promise<void>;
}

export async function startProviderStage(): Promise<ProviderStage> {
  const engine = await startEngine();
  const fakeProviders = await startFakeProviders(['unsplash', 'pexels', 'pixabay', 'openverse', 'wikimedia']);
  const folder = mkdtempSync(join(tmpdir(), 'providers-'));
  let stockProviders: Readonly<Record<string, unknown>> | undefined;
  let secret = '{}';
  const secrets = createSecretsEndpoint((id) => (id === 'the-secret' ? secret : undefined));
  const aws = await listenOnLoopback((request, response) => void secrets(request, response));
  const { lookupCache } = engine.tableNames;
  const service = await listenOnLoopback((request, response) => {
    if (request.url !== '/_local') return void response.writeHead(404).end();
    response.setHeader('Content-Type', 'application/json');
    response.end(
      JSON.stringify({
        dynamodb: engine.endpoint,
        tables: engine.tableNames,
        aws: aws.address,
        stockProviders,
      }),
    );
  });
  return {
    url: service.address,
    engine,
    fakeProviders,
    aws: aws.address,
    folder,
    lookups: createLookupCache(engine.client, lookupCache, systemClock),
    tell(configuration, keys = {}) {
      stockProviders = {
        PROVIDER_ENDPOINTS: fakeProviders.endpoints,
        PROVIDER_SECRET_ID: 'the-secret',
        ...configuration,
      };
      secret = typeof keys === 'string' ? keys : JSON.stringify(keys);
    },
    run: (...args) => runTool(['providers', ...args, '--local', service.address], { cwd: folder }),
    async stop() {
      await Promise.all([service.stop(), aws.stop(), fakeProviders.stop()]);
      await engine.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
