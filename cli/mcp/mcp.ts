/** `image-redirect mcp`: offers a running service to models over stdio, by the Model Context Protocol. */

import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { parseUrl } from '../../lambda/base/parse-url';
import { clientTimeoutMs } from '../../lambda/contract/timeouts';
import { createCommand } from '../command';
import { exitCodes, Failure } from '../failure';

const more = `Reads from the environment:
  IMAGE_REDIRECT_URL     root of the service, for example https://img.example.com
  IMAGE_REDIRECT_KEY     API key, pk_…; without it, tools can only be listed and unsigned URLs built`;

/** The command `mcp`, which serves until stdin ends. */
export const mcp = (): Command =>
  createCommand('mcp', {
    summary: 'Offer a service to AI models over stdio (Model Context Protocol).',
    examples: ['mcp'],
    more,
  }).action(async () => {
    const { IMAGE_REDIRECT_URL: url, IMAGE_REDIRECT_KEY: key } = process.env;
    if (!url || !parseUrl(url))
      throw new Failure(exitCodes.usage, 'Set IMAGE_REDIRECT_URL to the root of the service.');
    const { serveStdio } = await import('../../packages/client/src/mcp-stdio');
    await serveStdio({
      rootUrl: url.replace(/\/+$/, ''),
      ...(key && { key }),
      timeoutMs: clientTimeoutMs,
      readLines: () => createInterface({ input: process.stdin }),
      write: (line) => process.stdout.write(`${line}\n`),
    });
  });
