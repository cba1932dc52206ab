/** `keys signer list` and `keys site list`: all of a kind, or those of one account. */

import type { Command } from 'commander';
import { createCommand } from '../../command';
import { recordsOf } from '../find-keys';
import { keyTable } from '../key-table';
import { keyView } from '../key-view';
import { withSession } from '../session';

const nouns = { signer: 'signers', site: 'site keys' } as const;

/** @param title of the first column @param none said where there are none */
export const listOf = (
  kind: 'signer' | 'site',
  { title, none }: { readonly title: string; readonly none: string },
): Command =>
  createCommand('list', {
    summary: `List all ${nouns[kind]}, by account and age.`,
    examples: [`keys ${kind} list`, `keys ${kind} list --account acc_0123456789abcdef01 --json`],
  })
    .option('--account <ID>', `only the ${nouns[kind]} of this account`)
    .action(({ account }: { readonly account?: string }, command: Command) =>
      withSession(command, async ({ keys, nowMs, output }) => {
        const records = await recordsOf(keys, kind, account);
        const views = records.map((record) => keyView(record, nowMs()));
        output.result(views, (columns) => (views.length === 0 ? none : keyTable(views, columns, title)));
      }),
    );
