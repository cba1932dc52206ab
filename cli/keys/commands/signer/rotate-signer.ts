/** `keys signer rotate`: creates a successor of a signer. */

import { rotateOf } from '../rotate-of';
import { showSigner } from './show-signer';

export const rotateSigner = () =>
  rotateOf('signer', {
    texts: {
      summary: 'Create a successor of a signer; URLs of the old one work until the overlap ends.',
      details: 'With an overlap of 0 they stop working everywhere within a minute.',
      examples: ['keys signer rotate sg_live_0123456789ab --overlap 30d'],
      overlapping: 'URLs of both',
      overlap: '30d',
      consequence: 'All URLs that it has signed stop working within a minute.',
    },
    async rotate({ keys, readSignerMaster }, signerId, overlapMs) {
      const master = await readSignerMaster();
      const record = await keys.rotateSigner(signerId, overlapMs);
      return record && { record, master };
    },
    show: (output, { record, master }, more) => showSigner(output, record, master, more),
  });
