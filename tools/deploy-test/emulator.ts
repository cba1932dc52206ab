/** Starts and ends the emulated AWS account: MiniStack on loopback, with all its processes. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { makeServerCertificate } from '../server-certificate';

export const region = 'us-east-1';
const startTimeoutMs = 60_000;

export type Emulator = Awaited<ReturnType<typeof startEmulator>>;

/** Starts the account, which keeps its files in a folder. */
export async function startEmulator(python: string, nodeFolder: string, folder: string) {
  const hosts = ['localhost', '*.cloudfront.net', `*.execute-api.${region}.amazonaws.com`];
  const certificate = makeServerCertificate(folder, hosts);
  const port = await findFreePort();
  const output = openSync(join(folder, 'emulator.log'), 'a');
  const child = spawn(python, [join(__dirname, 'launcher.py')], {
    cwd: folder,
    // The functions inherit this environment.
    env: {
      PATH: `${nodeFolder}:${process.env['PATH']}`,
      HOME: folder,
      TMPDIR: folder,
      BIND_HOST: '127.0.0.1',
      GATEWAY_PORT: String(port),
      MINISTACK_REGION: region,
      IOT_MTLS_ENABLED: '0',
      // IAM policies are enforced, so that a missing permission fails here too.
      AUTH: 'true',
      USE_SSL: '1',
      MINISTACK_SSL_CERT: certificate.certificateFile,
      MINISTACK_SSL_KEY: certificate.keyFile,
      NODE_EXTRA_CA_CERTS: certificate.certificateFile,
      NODE_NO_WARNINGS: '1',
      PYTHONDONTWRITEBYTECODE: '1',
    },
    // A process group, so that the functions end with the account.
    detached: true,
    stdio: ['pipe', output, output],
  });
  const childExit = once(child, 'exit');
  const stop = async () => {
    // The launcher then ends itself and the functions.
    child.stdin?.end();
    await childExit;
  };
  for (const endsMs = Date.now() + startTimeoutMs; Date.now() < endsMs && child.exitCode === null; ) {
    if (await isListening(port)) return { port, certificateFile: certificate.certificateFile, stop };
    await pause(100);
  }
  await stop();
  throw new Error('MiniStack did not start.');
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { readonly port: number };
  server.close();
  return port;
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const connection = once(socket, 'connect').then(() => true);
  return connection.catch(() => false).finally(() => socket.destroy());
}
