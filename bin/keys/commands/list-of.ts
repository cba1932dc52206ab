/** `keys signer list` and `keys site list`: all of a kind, or those of one account. */

import type { Command } from 'commander';
import { createCommand } from '../../operator/command';
import { table } from '../../operator/table';
import { recordsOf } from '../find-keys';
import { boundOf, keyView } from '../key-view';
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
        const more = kind === 'site' ? ['AT MOST', 'ORIGINS'] : [];
        output.result(views, (columns) =>
          views.length === 0
            ? none
            : table(
                [title, 'ACCOUNT', 'MODE', 'STATE', 'CREATED', ...more, 'NAME'],
                views.map((view) => [
                  view.keyId,
                  view.account,
                  view.mode,
                  view.state,
                  view.createdAt.slice(0, 10),
                  ...(kind === 'site' ? [boundOf(view) ?? '', (view.origins ?? []).join(' ')] : []),
                  view.name,
                ]),
                columns,
              ),
        );
      }),
    );
