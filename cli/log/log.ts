/** `image-redirect log`: who has changed what, as the log of changes has it. */

import type { Command } from 'commander';
import * as z from 'zod/mini';
import { createCommand } from '../command';
import { withKeysOptions, withSession } from '../keys/session';
import { readDuration } from '../option-values';
import { table } from '../output';

/** A moment (epoch, milliseconds): a length of time before now, or one in ISO 8601. */
function readSince(text: string): number {
  // `Date` takes 30 February for 2 March.
  const ms = z.iso.date().safeParse(text.slice(0, 10)).success ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? Date.now() - readDuration('--since', ', or a moment in ISO 8601')(text) : ms;
}

/** `image-redirect log`: entries since a moment, oldest first; exit 2 for a moment that cannot be read. */
export const log = (): Command =>
  withKeysOptions(
    createCommand('log', {
      summary: 'Show who has created, changed or removed keys, plans, images and photographs.',
      examples: ['log --since 1h', 'log --since 2026-11-01 --stack ImageRedirect-prod --json'],
    }).requiredOption('--since <TIME>', 'how far back, such as 1h or 7d, or a moment in ISO 8601', readSince),
  ).action(({ since }: { readonly since: number }, command: Command) =>
    withSession(command, async ({ changeLog, output }) => {
      const entries = await changeLog.since(since);
      output.result({ entries }, (columns) =>
        entries.length === 0
          ? 'Nothing was changed.'
          : table(
              ['At', 'By', 'Action', 'Id', 'Account', 'Details'],
              entries.map(({ at, principal, action, id = '', account = '', ...details }) => [
                at,
                principal,
                action,
                id,
                account,
                Object.entries(details)
                  .map(([name, value]) => `${name} ${String(value)}`)
                  .join(', '),
              ]),
              columns,
            ),
      );
    }),
  );
