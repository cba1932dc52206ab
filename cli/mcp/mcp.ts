/** `image-redirect mcp`: offers a running service to models over stdio, by the Model Context Protocol. */

import type { Command } from 'commander';
import { createCommand } from '../command';
import { wrongUsage } from '../failure';

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
    const { mcp: serve } = await import('../../packages/client/src/command/mcp');
    await serve().catch((error: Error) => {
      throw error.name === 'UsageError' ? wrongUsage(error.message) : error;
    });
  });
