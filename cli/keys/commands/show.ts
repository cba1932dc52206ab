/** `show`: everything that is known about one key. */

import type { Command } from 'commander';
import { createCommand } from '../../command';
import { findKey, readKeyId } from '../find-keys';
import { describeKey, keyView } from '../key-view';
import { withSession } from '../session';

export const show = (): Command =>
  createCommand('show', {
    summary: 'Show one key. The key itself is not stored, so it is not shown.',
    examples: ['keys show key_0123456789abcdef01'],
  })
    .argument('<KEY_ID>', 'id of the key', readKeyId)
    .action((keyId: string, _, command: Command) =>
      withSession(command, async ({ keys, nowMs, output }) => {
        const view = keyView(await findKey(keys, keyId), nowMs());
        output.result(view, () => describeKey(view));
      }),
    );
