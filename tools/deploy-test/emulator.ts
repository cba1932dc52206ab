/** Starts the emulated AWS account on loopback and ends it with every process it has started. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { serverCertificate } from '../../lib/key-maker/certificates';
import type { EmulatorProgram } from './emulator-program';
import { DeploymentTestFailure } from './run-program';

/** The emulated account is deployed to in this region alone. */
export const region = 'us-east-1';
const startsInMs = 60_000;
const endsInMs = 5_000;

/** A running emulated account; `log` is the file of its output. */
export interface Emulator {
  readonly port: number;
  /** PEM file to trust. */
  readonly certificateFile: string;
  /** JSON file that says who may sign for which paths of which distribution. */
  readonly edgeFile: string;
  readonly log: string;
  stop(): Promise<void>;
}

/** @param folder where its files go. @throws `DeploymentTestFailure` when it does not start */
export async function startEmulator(
  { python, nodeFolder }: EmulatorProgram,
  folder: string,
  signal: AbortSignal,
): Promise<Emulator> {
  const [certificateFile, keyFile, edgeFile, log] = [
    'certificate.pem',
    'key.pem',
    'edge.json',
    'emulator.log',
  ].map((name) => join(folder, name)) as [string, string, string, string];
  const hosts = ['localhost', '*.cloudfront.net', `*.execute-api.${region}.amazonaws.com`, '*.images.test'];
  mkdirSync(join(folder, 'native'));
  symlinkSync(join(__dirname, '../../node_modules/@img'), join(folder, 'native', '@img'));
  const { certificatePem, privateKeyPem } = await serverCertificate(hosts, Date.now());
  writeFileSync(certificateFile, certificatePem);
  writeFileSync(keyFile, privateKeyPem, { mode: 0o600 });
  const port = await freePort();
  const output = openSync(log, 'a');
  // The functions inherit this environment, so it holds nothing else.
  const env = {
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
    // Where a function for another processor finds the native library for this machine's.
    NODE_PATH: join(folder, 'native'),
    // The launcher's folder belongs to the project.
    PYTHONDONTWRITEBYTECODE: '1',
    EDGE_FILE: edgeFile,
  };
  const child = spawn(python, [join(__dirname, 'emulator.py')], {
    cwd: folder,
    env,
    // A group of its own, so that its functions' processes can be ended with it, and no Ctrl-C meant for us ends it early.
    detached: true,
    stdio: ['pipe', output, output],
  });
  const stop = () => end(child);
  try {
    await listening(child, port, signal);
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, certificateFile, edgeFile, log, stop };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function listening(child: ChildProcess, port: number, signal: AbortSignal): Promise<void> {
  const endMs = Date.now() + startsInMs;
  while (Date.now() < endMs) {
    if (child.exitCode !== null) throw new DeploymentTestFailure(`MiniStack ended with ${child.exitCode}.`);
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await pause(100, undefined, { signal });
  }
  throw new DeploymentTestFailure(`MiniStack did not start within ${startsInMs / 1_000} s.`);
}

async function end(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
  child.kill('SIGTERM');
  await Promise.race([ended, pause(endsInMs, undefined, { ref: false })]);
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing of its group is left.
  }
}
