/** ULIDs: well-formed, sortable by time, and parseable; ids of this machine: random. */

import fc from 'fast-check';
import { encodeUlid, parseUlidTime, systemIds } from '../../lambda/base/ids';

const time = fc.integer({ min: 0, max: 2 ** 48 - 1 });
const random = fc.uint8Array({ minLength: 10, maxLength: 10 });

describe('encodeUlid', () => {
  test.each([
    [0, 0, '0'.repeat(26)],
    [1, 0, `0000000001${'0'.repeat(16)}`],
    [2 ** 48 - 1, 255, `7${'Z'.repeat(25)}`],
    // The example of https://github.com/ulid/spec is of this moment.
    [1_469_918_176_385, 0, `01ARYZ6S41${'0'.repeat(16)}`],
  ])('a ULID of the moment %d and random bytes of %d is %s', (ms, byte, ulid) => {
    expect(encodeUlid(ms, new Uint8Array(10).fill(byte))).toBe(ulid);
  });

  test('the time of a ULID can be read from its 26 characters', () => {
    fc.assert(
      fc.property(time, random, (ms, bytes) => {
        const ulid = encodeUlid(ms, bytes);
        expect(ulid).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
        expect(parseUlidTime(ulid)).toBe(ms);
      }),
    );
  });
});

test('an id has the given number of random bytes, or 80 random bits after its time', () => {
  expect(systemIds.makeHex(16)).toMatch(/^[0-9a-f]{32}$/);
  const [one, other] = [systemIds.makeUlid(1_000), systemIds.makeUlid(1_000)];
  expect(one).not.toBe(other);
  expect([one.length, parseUlidTime(one), parseUlidTime(other)]).toEqual([26, 1_000, 1_000]);
});
