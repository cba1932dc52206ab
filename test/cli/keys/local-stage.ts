/** A fake of the local service: its tables, and the URL at which the keys command finds them. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecretsEndpoint } from '../../../local/aws/secrets-endpoint';
import { localNames } from '../../../local/environment';
import { master } from '../../../packages/client/test/vectors';
import { type Engine, startEngine } from '../../contracts/dynamodb-engine';
import { listenOnLoopback } from '../../fakes/loopback';
import type { Ended } from '../run-tool';
import { runKeys } from './run-keys';

export interface LocalStage {
  readonly url: string;
  readonly engine: Engine;
  /** Empty folder in which the tool runs. */
  readonly folder: string;
  /** Runs the tool for this service. */
  run(...args: string[]): Promise<Ended>;
  /** Leaves the note of a running service. */
  note(name: string, content: unknown): void;
  stop(): Promise<void>;
}

export async function startLocalStage(): Promise<LocalStage> {
  const engine = await startEngine();
  const folder = mkdtempSync(join(tmpdir(), 'keys-'));
  const secrets = createSecretsEndpoint((id) => (id === localNames.signerSecret ? master : undefined));
  const service = await listenOnLoopback((request, response) => {
    if (request.headers['x-amz-target'] === 'secretsmanager.GetSecretValue')
      return void secrets(request, response);
    if (request.url !== '/_local') return void response.writeHead(404).end();
    response.setHeader('Content-Type', 'application/json');
    response.end(
      JSON.stringify({ dynamodb: engine.endpoint, aws: service.address, tables: engine.tableNames }),
    );
  });
  return {
    url: service.address,
    engine,
    folder,
    run: (...args) => runKeys([...args, '--local', service.address], { cwd: folder }),
    note(name, content) {
      mkdirSync(join(folder, '.local', 'running'), { recursive: true });
      writeFileSync(join(folder, '.local', 'running', name), JSON.stringify(content));
    },
    async stop() {
      await service.stop();
      await engine.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
