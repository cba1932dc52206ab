/** Starts the emulated AWS account on loopback, and ends it with all of its processes. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, symlinkSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { makeServerCertificate } from '../server-certificate';
import { Failure } from './run';

/** The region of the account. */
export const region = 'us-east-1';
const startsInMs = 60_000;

/** The emulated account while it runs. */
export interface Emulator {
  readonly port: number;
  /** PEM file of the certificate that clients must trust. */
  readonly certificateFile: string;
  stop(): Promise<void>;
}

/** Starts the account, with its files in a folder, or throws `Failure`. */
export async function startEmulator(python: string, nodeFolder: string, folder: string): Promise<Emulator> {
  const hosts = ['localhost', '*.cloudfront.net', `*.execute-api.${region}.amazonaws.com`];
  const { certificateFile, keyFile } = makeServerCertificate(folder, hosts);
  // Here a function that is bundled for another processor finds the native library for this one.
  mkdirSync(join(folder, 'native'));
  symlinkSync(join(__dirname, '../../node_modules/@img'), join(folder, 'native', '@img'));
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address() as { readonly port: number };
  free.close();
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
      MINISTACK_SSL_CERT: certificateFile,
      MINISTACK_SSL_KEY: keyFile,
      NODE_EXTRA_CA_CERTS: certificateFile,
      NODE_NO_WARNINGS: '1',
      NODE_PATH: join(folder, 'native'),
      PYTHONDONTWRITEBYTECODE: '1',
    },
    // A process group, so that the functions end with the account.
    detached: true,
    stdio: ['pipe', output, output],
  });
  const stop = async () => {
    const ended = child.exitCode === null ? once(child, 'exit') : undefined;
    child.kill('SIGTERM');
    await Promise.race([ended, pause(5_000, undefined, { ref: false })]);
    try {
      process.kill(-(child.pid as number), 'SIGKILL');
    } catch {
      // No process of the group is left.
    }
  };
  for (const endsMs = Date.now() + startsInMs; Date.now() < endsMs && child.exitCode === null; ) {
    const socket = connect(port, '127.0.0.1');
    const isListening = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isListening) return { port, certificateFile, stop };
    await pause(100);
  }
  await stop();
  throw new Failure('MiniStack did not start.');
}
