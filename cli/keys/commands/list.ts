/** `list`: all keys, or those of one account. */

import type { Command } from 'commander';
import { createCommand } from '../../command';
import { recordsOf } from '../find-keys';
import { keyTable } from '../key-table';
import { keyView } from '../key-view';
import { withSession } from '../session';

export const list = (): Command =>
  createCommand('list', {
    summary: 'List all API keys, by account and age.',
    examples: ['keys list', 'keys list --account acc_0123456789abcdef01 --json'],
  })
    .option('--account <ID>', 'only the keys of this account')
    .action(({ account }: { readonly account?: string }, command: Command) =>
      withSession(command, async ({ keys, nowMs, output }) => {
        const records = await recordsOf(keys, 'key', account);
        const views = records.map((record) => keyView(record, nowMs()));
        output.result(views, (columns) =>
          views.length === 0 ? 'There are no keys yet.' : keyTable(views, columns, 'KEY ID'),
        );
      }),
    );
