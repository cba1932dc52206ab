/** A fake DynamoDB over TLS: returns the same response to every request at once, so that only the client is measured. */

import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCertificate } from './certificate';
import { answers, apiKeysTable } from './stored-items';

export interface DynamoDbStandIn {
  readonly url: string;
  /** File that makes Node.js trust it, for `NODE_EXTRA_CA_CERTS`. */
  readonly certificateFile: string;
  stop(): Promise<void>;
}

export async function startDynamoDbStandIn(): Promise<DynamoDbStandIn> {
  const { keyPem, certificatePem } = createCertificate(Date.now());
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const certificateFile = join(folder, 'certificate.pem');
  writeFileSync(certificateFile, certificatePem);
  const bodies = {
    charge: JSON.stringify(answers.charge),
    key: JSON.stringify(answers.key),
    image: JSON.stringify(answers.image),
  };
  const server = createServer({ key: keyPem, cert: certificatePem }, async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const isWrite = String(request.headers['x-amz-target']).endsWith('UpdateItem');
    const isKey = body.includes(`"TableName":"${apiKeysTable}"`);
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-requestid': 'REQUEST' });
    response.end(isWrite ? bodies.charge : isKey ? bodies.key : bodies.image);
  });
  // A function keeps its connections while it is measured.
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    certificateFile,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
