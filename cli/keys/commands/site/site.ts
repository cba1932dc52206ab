/** `keys site`: the operator's commands for site keys, which may be published in the pages of their origins. */

import type { Command } from 'commander';
import { createCommand } from '../../../command';
import { withKeysOptions } from '../../session';
import { listOf } from '../list-of';
import { revokeOf } from '../revoke-of';
import { createSiteKey } from './create-site-key';
import { rotateSiteKey } from './rotate-site-key';

export function site(): Command {
  const command = createCommand('site', {
    summary: 'Issue and manage site keys: publishable, bound to origins and to a monthly cap.',
    examples: [
      'keys site create --account acc_0123456789abcdef01 --origin https://example.com --max-per-month 1000',
      'keys site list --json',
    ],
  }).helpCommand('help [command]', 'Show the options and examples of a command.');
  const list = listOf('site', { title: 'SITE KEY ID', none: 'There are no site keys yet.' });
  const revoke = revokeOf('site', {
    summary: 'Revoke a site key permanently. It stops working everywhere within a minute.',
    example: 'keys site revoke site_0123456789abcdef01 --yes',
    consequence: 'It stops working for good, everywhere within a minute.',
  });
  for (const each of [createSiteKey(), list, rotateSiteKey(), revoke])
    command.addCommand(withKeysOptions(each));
  return command;
}
