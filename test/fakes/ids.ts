/** Use these ids where a test compares them: unique, and the same in every run. */

import { encodeUlid, type Ids } from '../../lambda/base/ids';

/** Its bytes are a deterministic replacement for random ones; all values occur. */
export function createFakeIds(): Ids {
  let state = 1;
  const makeBytes = (length: number) =>
    Uint8Array.from({ length }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 24;
    });
  return {
    makeBytes,
    makeUlid: (nowMs) => encodeUlid(nowMs, makeBytes(10)),
    makeHex: (length) => Buffer.from(makeBytes(length)).toString('hex'),
  };
}
