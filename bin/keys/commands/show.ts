/** `show`: everything that is known about one key. */

import { findKey, readKeyId } from '../arguments';
import type { Command } from '../command';
import { describeKey, keyView } from '../key-view';

export const show: Command = {
  name: 'show',
  positionals: ['KEY_ID'],
  summary: 'Show one key. The key itself is not kept, so it is not shown.',
  options: {},
  examples: ['show key_0123456789abcdef01'],
  prepare([text = '']) {
    const keyId = readKeyId(text);
    return async ({ keys, nowMs, output }) => {
      const view = keyView(await findKey(keys, keyId), nowMs());
      output.result(view, () => describeKey(view));
    };
  },
};
