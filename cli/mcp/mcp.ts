/** `image-redirect mcp`: offers a running service to models over stdio, by the Model Context Protocol. */

import type { Command } from 'commander';
import { parseUrl } from '../../lambda/base/parse-url';
import { createCommand } from '../command';
import { exitCodes, Failure } from '../failure';

const more = `Reads from the environment:
  IMAGE_REDIRECT_URL     root of the service, for example https://img.example.com
  IMAGE_REDIRECT_KEY     API key, pk_…; find_images and credits need it
  IMAGE_REDIRECT_SIGNER  id and secret of a signer, sg_…:sgs_…; image_url signs its URLs then`;

export const mcp = (): Command =>
  createCommand('mcp', {
    summary: 'Offer a service to AI models over stdio (Model Context Protocol).',
    examples: ['mcp'],
    more,
  }).action(async () => {
    const { IMAGE_REDIRECT_URL: url, IMAGE_REDIRECT_KEY: key, IMAGE_REDIRECT_SIGNER: signer } = process.env;
    if (!url || !parseUrl(url))
      throw new Failure(exitCodes.usage, 'Set IMAGE_REDIRECT_URL to the root of the service.');
    const { serveStdio } = await import('./serve-stdio');
    await serveStdio({
      rootUrl: url.replace(/\/+$/, ''),
      ...(key ? { key } : {}),
      ...(signer ? { signer } : {}),
      input: process.stdin,
      output: process.stdout,
    });
  });
