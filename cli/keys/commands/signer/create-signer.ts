/** `keys signer create`: makes a signer of an account and shows its secret once. */

import type { Command } from 'commander';
import type { KeyRecord } from '../../../../lambda/credentials/api-keys';
import { createCommand } from '../../../command';
import { keysOfAccount } from '../../find-keys';
import { readName } from '../../read-name';
import { withSession } from '../../session';
import { showSigner } from './show-signer';

interface CreateOptions {
  readonly account: string;
  readonly name: string;
  readonly test?: boolean;
}

export const createSigner = (): Command =>
  createCommand('create', {
    summary: 'Create a signer of an account. Its secret is shown once.',
    examples: [
      'keys signer create --account acc_0123456789abcdef01 --name "web shop"',
      'keys signer create --account acc_0123456789abcdef01 --test --json',
    ],
  })
    .requiredOption('--account <ID>', 'the account that pays, once per image and day')
    .option('--name <TEXT>', 'what the signer is for', (text) => readName('--name', text), 'unnamed')
    .option('--test', 'create a test signer: an hourly limit of its own, no quota used')
    .action(({ account, name, test }: CreateOptions, command: Command) =>
      withSession(command, async ({ keys, readSignerMaster, output }) => {
        const known = (await keysOfAccount(keys, account)).at(-1) as KeyRecord;
        // First, so that no signer is made whose secret was never shown.
        const master = await readSignerMaster();
        const mode = test ? 'test' : 'live';
        showSigner(
          output,
          await keys.issueSigner({ mode, name, account: known.account, plan: known.plan }),
          master,
        );
      }),
    );
