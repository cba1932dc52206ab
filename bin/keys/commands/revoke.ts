/** `revoke`: ends a key for good. */

import { findKey, readKeyId } from '../arguments';
import type { Command } from '../command';
import { describeKey, keyView } from '../key-view';

export const revoke: Command = {
  name: 'revoke',
  positionals: ['KEY_ID'],
  summary: 'End a key for good, everywhere within a minute.',
  options: {},
  examples: ['revoke key_0123456789abcdef01', 'revoke key_0123456789abcdef01 --yes --json'],
  prepare([text = '']) {
    const keyId = readKeyId(text);
    return async ({ keys, nowMs, output, confirm }) => {
      const found = await findKey(keys, keyId);
      if (found.revokedAt === undefined)
        await confirm(`Key ${keyId} ("${found.name}", account ${found.account}) stops working for good.`);
      const record = (await keys.revoke(keyId)) ?? found;
      const view = keyView(record, nowMs());
      output.result(view, () => describeKey(view));
    };
  },
};
