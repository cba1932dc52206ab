/** `keys signer revoke` and `keys site revoke`: end one of them for good. */

import type { Command } from 'commander';
import { createCommand } from '../../command';
import { yesOption } from '../confirm';
import { findKey, readKeyId } from '../find-keys';
import { describeKey, keyView } from '../key-view';
import { withSession } from '../session';

const names = { signer: 'Signer', site: 'Site key' } as const;

/** @param consequence what an operator confirms, as a sentence */
export const revokeOf = (
  kind: 'signer' | 'site',
  texts: { readonly summary: string; readonly example: string; readonly consequence: string },
): Command =>
  createCommand('revoke', { summary: texts.summary, examples: [texts.example] })
    .argument(kind === 'signer' ? '<SIGNER_ID>' : '<SITE_KEY_ID>', 'its id', readKeyId)
    .addOption(yesOption())
    .action((keyId: string, _, command: Command) =>
      withSession(command, async ({ keys, nowMs, output, confirm }) => {
        const found = await findKey(keys, keyId, kind);
        if (found.revokedAt === undefined)
          await confirm(
            `${names[kind]} ${keyId} ("${found.name}", account ${found.account}): ${texts.consequence}`,
          );
        const record = (await keys.revoke(keyId)) ?? found;
        const view = keyView(record, nowMs());
        output.result(view, () => describeKey(view));
      }),
    );
