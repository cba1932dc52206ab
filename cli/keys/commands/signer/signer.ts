/** `keys signer`: the operator's commands for signers, which sign the URLs of images on public pages. */

import type { Command } from 'commander';
import { createCommand } from '../../../command';
import { withKeysOptions } from '../../session';
import { listOf } from '../list-of';
import { revokeOf } from '../revoke-of';
import { createSigner } from './create-signer';
import { rotateSigner } from './rotate-signer';

export function signer(): Command {
  const command = createCommand('signer', {
    summary: 'Issue and manage signers: their secret signs URLs on a server or in a build step.',
    examples: [
      'keys signer create --account acc_0123456789abcdef01 --name "web shop"',
      'keys signer list --json',
    ],
  }).helpCommand('help [command]', 'Show the options and examples of a command.');
  const list = listOf('signer', { title: 'SIGNER ID', none: 'There are no signers yet.' });
  const revoke = revokeOf('signer', {
    summary: 'Revoke a signer permanently. All URLs that it has signed stop working within a minute.',
    example: 'keys signer revoke sg_live_0123456789ab --yes',
    consequence: 'All URLs that it has signed stop working for good, everywhere within a minute.',
  });
  for (const each of [createSigner(), list, rotateSigner(), revoke])
    command.addCommand(withKeysOptions(each));
  return command;
}
