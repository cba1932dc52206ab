/** `rotate`: creates a successor of a key, which itself goes on working for a while. */

import { type Command, Option } from 'commander';
import { createCommand } from '../../operator/command';
import { exitCodes, Failure } from '../../operator/failure';
import { yesOption } from '../confirm';
import { readDuration } from '../duration';
import { findKey, readKeyId } from '../find-keys';
import { showIssued } from '../issued-view';
import { stateOf } from '../key-view';
import { withSession } from '../session';

export const rotate = (): Command =>
  createCommand('rotate', {
    summary: 'Create a successor of a key; the old key works until the overlap ends.',
    details: 'With an overlap of 0 it stops working everywhere within a minute.',
    examples: [
      'keys rotate key_0123456789abcdef01',
      'keys rotate key_0123456789abcdef01 --overlap 7d --json',
    ],
  })
    .argument('<KEY_ID>', 'id of the key', readKeyId)
    .addOption(
      new Option('--overlap <TIME>', 'how long both keys work, such as 30m, 24h, 7d or 0')
        .argParser((text) => readDuration('--overlap', text))
        .default(readDuration('--overlap', '24h'), '24h'),
    )
    .addOption(yesOption())
    .action((keyId: string, { overlap }: { readonly overlap: number }, command: Command) =>
      withSession(command, async ({ keys, nowMs, output, confirm }) => {
        const old = await findKey(keys, keyId);
        const state = stateOf(old, nowMs());
        if (state === 'revoked' || state === 'expired')
          throw new Failure(
            exitCodes.failed,
            `Key ${keyId} is ${state}. Create another one: keys create --account ${old.account}`,
          );
        if (overlap === 0)
          await confirm(`Key ${keyId} ("${old.name}") stops working everywhere within a minute.`);
        const issued = await keys.rotate(keyId, overlap);
        const { expiresAt = '' } = await findKey(keys, keyId);
        if (issued)
          showIssued(output, issued, {
            json: { replaces: { keyId, expiresAt } },
            lines: [
              ['Replaces', keyId],
              ['Which ends', overlap === 0 ? `${expiresAt}, everywhere within a minute` : expiresAt],
            ],
          });
      }),
    );
