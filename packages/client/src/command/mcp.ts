/** `mcp`: offers a service to models over stdio, one message a line, which it passes on to the service over HTTP. */

import { createInterface } from 'node:readline';
import { serveStdio } from '../mcp-stdio';
import { UsageError } from './usage-error';

const timeoutMs = 60_000;

export async function mcp(): Promise<number> {
  const { IMAGE_REDIRECT_URL: url, IMAGE_REDIRECT_KEY: key } = process.env;
  if (!url || !URL.canParse(url)) throw new UsageError('Set IMAGE_REDIRECT_URL to the root of the service.');
  await serveStdio({
    rootUrl: url.replace(/\/+$/, ''),
    ...(key && { key }),
    timeoutMs,
    readLines: () => createInterface({ input: process.stdin }),
    write: (line) => process.stdout.write(`${line}\n`),
  });
  return 0;
}
