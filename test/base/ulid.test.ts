/** ULIDs: well-formed, sortable by time, and parseable. */

import fc from 'fast-check';
import { createUlid, timeOfUlid } from '../../lambda/base/ulid';

const time = fc.integer({ min: 0, max: 2 ** 48 - 1 });
const random = fc.uint8Array({ minLength: 10, maxLength: 10 });

describe('a ULID', () => {
  it.each([
    [0, 0, '0'.repeat(26)],
    [1, 0, `0000000001${'0'.repeat(16)}`],
    [2 ** 48 - 1, 255, `7${'Z'.repeat(25)}`],
    // The example of https://github.com/ulid/spec is of this moment.
    [1_469_918_176_385, 0, `01ARYZ6S41${'0'.repeat(16)}`],
  ])('a ULID of the moment %d and random bytes of %d is %s', (ms, byte, ulid) => {
    expect(createUlid(ms, new Uint8Array(10).fill(byte))).toBe(ulid);
  });

  it('has 26 characters without I, L, O and U, and its time can be read', () => {
    fc.assert(
      fc.property(time, random, (ms, bytes) => {
        const ulid = createUlid(ms, bytes);
        expect(ulid).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
        expect(timeOfUlid(ulid)).toBe(ms);
      }),
    );
  });

  it('sorts by time, and within a millisecond by its random part', () => {
    fc.assert(
      fc.property(time, time, random, random, (a, b, one, two) => {
        const [x, y] = [createUlid(a, one), createUlid(b, two)];
        if (a !== b) expect(x < y).toBe(a < b);
        else expect(Math.sign(Buffer.compare(one, two))).toBe(x < y ? -1 : x > y ? 1 : 0);
      }),
    );
  });
});
