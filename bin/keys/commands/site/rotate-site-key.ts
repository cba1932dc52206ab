/** `keys site rotate`: creates a successor of a site key, which itself goes on working for a while. */

import { type Command, Option } from 'commander';
import { createCommand } from '../../../operator/command';
import { exitCodes, Failure } from '../../../operator/failure';
import { yesOption } from '../../confirm';
import { readDuration } from '../../duration';
import { findKey, readKeyId } from '../../find-keys';
import { stateOf } from '../../key-view';
import { withSession } from '../../session';
import { showSiteKey } from './show-site-key';

export const rotateSiteKey = (): Command =>
  createCommand('rotate', {
    summary: 'Create a successor of a site key; the old one works until the overlap ends.',
    details:
      'It has the same origins and the same cap, which counts anew: until the month ends, both together can spend twice the cap. With an overlap of 0 the old one stops working everywhere within a minute.',
    examples: ['keys site rotate site_0123456789abcdef01 --overlap 7d'],
  })
    .argument('<SITE_KEY_ID>', 'id of the site key', readKeyId)
    .addOption(
      new Option('--overlap <TIME>', 'how long both site keys work, such as 30m, 24h, 30d or 0')
        .argParser((text) => readDuration('--overlap', text))
        .default(readDuration('--overlap', '30d'), '30d'),
    )
    .addOption(yesOption())
    .action((siteKeyId: string, { overlap }: { readonly overlap: number }, command: Command) =>
      withSession(command, async ({ keys, nowMs, output, confirm }) => {
        const old = await findKey(keys, siteKeyId, 'site');
        const state = stateOf(old, nowMs());
        if (state === 'revoked' || state === 'expired')
          throw new Failure(
            exitCodes.failed,
            `Site key ${siteKeyId} is ${state}. Create another one: keys site create --account ${old.account}`,
          );
        if (overlap === 0)
          await confirm(`Site key ${siteKeyId} ("${old.name}") stops working everywhere within a minute.`);
        const issued = await keys.rotateSiteKey(siteKeyId, overlap);
        const { expiresAt = '' } = await findKey(keys, siteKeyId, 'site');
        if (issued)
          showSiteKey(output, issued, {
            json: { replaces: { siteKeyId, expiresAt } },
            lines: [
              ['Replaces', siteKeyId],
              ['Which ends', overlap === 0 ? `${expiresAt}, everywhere within a minute` : expiresAt],
            ],
          });
      }),
    );
