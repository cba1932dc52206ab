/** `mcp`: offers a service to models over stdio, one message a line, which it passes on to the service over HTTP. */

import { createInterface } from 'node:readline';
import { serveStdio } from '../mcp-stdio';
import { keyFor, requiredBase } from './environment';

const timeoutMs = 60_000;

/** Resolves with exit code 0 when standard input ends. @throws `UsageError` where the environment names no service */
export async function mcp(): Promise<number> {
  const rootUrl = requiredBase();
  await serveStdio({
    ...{ rootUrl, ...keyFor(rootUrl), timeoutMs },
    readLines: () => createInterface({ input: process.stdin }),
    write: (line) => process.stdout.write(`${line}\n`),
  });
  return 0;
}
