/** `revoke`: ends a key for good. */

import type { Command } from 'commander';
import { createCommand } from '../../command';
import { yesOption } from '../confirm';
import { findKey, readKeyId } from '../find-keys';
import { describeKey, keyView } from '../key-view';
import { withSession } from '../session';

export const revoke = (): Command =>
  createCommand('revoke', {
    summary: 'Revoke a key permanently. It stops working everywhere within a minute.',
    examples: ['keys revoke key_0123456789abcdef01', 'keys revoke key_0123456789abcdef01 --yes --json'],
  })
    .argument('<KEY_ID>', 'id of the key', readKeyId)
    .addOption(yesOption())
    .action((keyId: string, _, command: Command) =>
      withSession(command, async ({ keys, nowMs, output, confirm }) => {
        const found = await findKey(keys, keyId);
        if (found.revokedAt === undefined)
          await confirm(
            `Key ${keyId} ("${found.name}", account ${found.account}) stops working for good, everywhere within a minute.`,
          );
        const record = (await keys.revoke(keyId)) ?? found;
        const view = keyView(record, nowMs());
        output.result(view, () => describeKey(view));
      }),
    );
