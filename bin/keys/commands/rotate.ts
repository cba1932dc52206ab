/** `rotate`: makes a successor of a key, which itself goes on working for a while. */

import { exitCodes, Failure } from '../../operator/failure';
import { findKey, readKeyId } from '../arguments';
import type { Command } from '../command';
import { readDuration } from '../duration';
import { showIssued } from '../issued-view';
import { stateOf } from '../key-view';

export const rotate: Command = {
  name: 'rotate',
  positionals: ['KEY_ID'],
  summary: 'Make a successor of a key; the old one works until the overlap ends.',
  options: {
    overlap: { type: 'string', value: 'TIME', help: 'how long both work: 30m, 24h (default), 7d, or 0' },
  },
  examples: ['rotate key_0123456789abcdef01', 'rotate key_0123456789abcdef01 --overlap 7d --json'],
  prepare([text = ''], { overlap = '24h' }) {
    const keyId = readKeyId(text);
    const overlapMs = readDuration('--overlap', String(overlap));
    return async ({ keys, nowMs, output, confirm }) => {
      const old = await findKey(keys, keyId);
      const state = stateOf(old, nowMs());
      if (state === 'revoked' || state === 'expired')
        throw new Failure(
          exitCodes.failed,
          `Key ${keyId} is ${state}. Make a new one: create --account ${old.account}`,
        );
      if (overlapMs === 0) await confirm(`Key ${keyId} ("${old.name}") stops working at once.`);
      const issued = await keys.rotate(keyId, overlapMs);
      const { expiresAt = '' } = await findKey(keys, keyId);
      if (issued)
        showIssued(output, issued, {
          json: { replaces: { keyId, expiresAt } },
          lines: [
            ['Replaces', keyId],
            ['Which ends', expiresAt],
          ],
        });
    };
  },
};
