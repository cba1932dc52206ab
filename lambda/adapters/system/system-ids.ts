/** Unpredictable ids from the machine's random source. */

import { randomBytes } from 'node:crypto';
import { ulidOf } from '../../domain/ulid';
import type { Ids } from '../../ports/clock';

export const systemIds: Ids = {
  ulid: (nowMs) => ulidOf(nowMs, randomBytes(10)),
  hex: (bytes) => randomBytes(bytes).toString('hex'),
};
