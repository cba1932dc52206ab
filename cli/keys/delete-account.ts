/** `delete-account`: the end of a customer. */

import type { Command } from 'commander';
import { isAccountId } from '../../lambda/credentials/account-id';
import { createCommand } from '../command';
import { notFound } from '../failure';
import { facts } from '../output';
import { withSession, yesOption } from './session';

/** Removes all that belongs to an account, for good. */
export const deleteAccount = (): Command =>
  createCommand('delete-account', {
    summary: 'Remove an account for good: its credentials, its usage, and its AI images with their files.',
    details:
      'Takes a minute. Functions know a key for a minute after it is removed, so run the command again after that: it then removes what was made meanwhile.',
    examples: [
      'keys delete-account acc_0123456789abcdef01',
      'keys delete-account acc_0123456789abcdef01 --yes --json --stack ImageRedirect-prod',
    ],
  })
    .argument('<ACCOUNT>', 'id of the account')
    .addOption(yesOption())
    .action((account: string, _, command: Command) =>
      withSession(command, async ({ service, output, confirm }) => {
        if (!isAccountId(account)) throw notFound(`There is no account ${account}.`);
        const { tables, openLibrary, database, invalidate, lacks } = service;
        const { apiKeys, quotaCounters, generationIndex } = tables;
        if (!apiKeys || !quotaCounters || !generationIndex) throw lacks('tables');
        const [{ removeAccount }, { untimed }] = await Promise.all([
          import('./remove-account'),
          import('../../lambda/aws/dynamodb'),
        ]);
        await confirm(`Account ${account}, its credentials, usage and AI images will be removed for good.`);
        const services = {
          ...untimed(database),
          tables: { apiKeys, quotaCounters, generationIndex },
          bucket: openLibrary(),
          invalidate,
        };
        const removed = { account, ...(await removeAccount(services, account)) };
        output.result(removed, () =>
          facts([
            ['Account', account],
            ['Credentials', String(removed.credentials)],
            ['Items of usage', String(removed.usage)],
            ['AI images', String(removed.images)],
            ['Files', String(removed.files)],
          ]),
        );
      }),
    );
