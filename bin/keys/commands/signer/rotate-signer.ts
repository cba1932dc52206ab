/** `keys signer rotate`: creates a successor of a signer, which itself goes on working for a while. */

import { type Command, Option } from 'commander';
import { createCommand } from '../../../operator/command';
import { exitCodes, Failure } from '../../../operator/failure';
import { yesOption } from '../../confirm';
import { readDuration } from '../../duration';
import { findKey, readKeyId } from '../../find-keys';
import { stateOf } from '../../key-view';
import { withSession } from '../../session';
import { showSigner } from './show-signer';

export const rotateSigner = (): Command =>
  createCommand('rotate', {
    summary: 'Create a successor of a signer; URLs of the old one work until the overlap ends.',
    details: 'With an overlap of 0 they stop working everywhere within a minute.',
    examples: ['keys signer rotate sg_live_0123456789ab --overlap 30d'],
  })
    .argument('<SIGNER_ID>', 'id of the signer', readKeyId)
    .addOption(
      new Option('--overlap <TIME>', 'how long URLs of both work, such as 30m, 24h, 30d or 0')
        .argParser((text) => readDuration('--overlap', text))
        .default(readDuration('--overlap', '30d'), '30d'),
    )
    .addOption(yesOption())
    .action((signerId: string, { overlap }: { readonly overlap: number }, command: Command) =>
      withSession(command, async ({ keys, readSignerMaster, nowMs, output, confirm }) => {
        const old = await findKey(keys, signerId, 'signer');
        const state = stateOf(old, nowMs());
        if (state === 'revoked' || state === 'expired')
          throw new Failure(
            exitCodes.failed,
            `Signer ${signerId} is ${state}. Create another one: keys signer create --account ${old.account}`,
          );
        if (overlap === 0)
          await confirm(
            `All URLs that signer ${signerId} ("${old.name}") has signed stop working within a minute.`,
          );
        const master = await readSignerMaster();
        const record = await keys.rotateSigner(signerId, overlap);
        const { expiresAt = '' } = await findKey(keys, signerId, 'signer');
        if (record)
          showSigner(output, record, master, {
            json: { replaces: { signerId, expiresAt } },
            lines: [
              ['Replaces', signerId],
              ['Which ends', overlap === 0 ? `${expiresAt}, everywhere within a minute` : expiresAt],
            ],
          });
      }),
    );
