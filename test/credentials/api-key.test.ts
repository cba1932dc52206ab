/** The checksum of a key refuses mistyped keys without a read of the table. */

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { hashApiKey, hashValidKey, makeKey } from '../../lambda/credentials/api-key';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const key = makeKey('pk', 'live', (n) => new Uint8Array(n).fill(7));
const bytes = fc.infiniteStream(fc.integer({ min: 0, max: 255 }));
const anyKey = fc
  .tuple(fc.constantFrom('pk', 'site'), fc.constantFrom('live', 'test'), bytes)
  .map(([prefix, mode, random]) => ({
    ...{ prefix, mode },
    key: makeKey(prefix, mode, (n) => Uint8Array.from({ length: n }, () => random.next().value as number)),
  }));

test('a key with its own prefix is hashed by SHA-256', () => {
  fc.assert(
    fc.property(anyKey, ({ prefix, key }) => {
      const hash = createHash('sha256').update(key).digest('hex');
      expect([hashValidKey(prefix, key), hashApiKey(key)]).toEqual([hash, hash]);
      expect(hashValidKey(prefix === 'pk' ? 'site' : 'pk', key)).toBeUndefined();
    }),
  );
});

test('the checksum of a key never changes, because issued keys have it', () => {
  expect(key).toBe(`pk_live_${'7'.repeat(32)}YXJQ41`);
});

test('a key is refused with any one character mistyped', () => {
  fc.assert(
    fc.property(
      anyKey,
      fc.integer({ min: 0, max: 45 }),
      fc.constantFrom(...alphabet),
      ({ prefix, key }, changedAt, letter) => {
        fc.pre(key[changedAt] !== letter);
        expect(
          hashValidKey(prefix, key.slice(0, changedAt) + letter + key.slice(changedAt + 1)),
        ).toBeUndefined();
      },
    ),
    { numRuns: 500 },
  );
});

test('a live key is refused as a test key', () => {
  expect(hashValidKey('pk', key.replace('live', 'test'))).toBeUndefined();
});

test.each([
  ['nothing', ''],
  ['a prefix alone', 'pk_live_'],
  ['no checksum', key.slice(0, -6)],
  ['one character less', key.slice(0, -1)],
  ['one character more', `${key}0`],
  ['a space before it', ` ${key}`],
  ['a line break after it', `${key}\n`],
  ['another prefix', key.replace('pk_', 'sk_')],
  ['an unknown kind', key.replace('live', 'prod')],
  ['a capital prefix', key.replace('pk_live', 'PK_LIVE')],
  ['a character outside its alphabet', `${key.slice(0, 20)}-${key.slice(21)}`],
  ['a letter beyond ASCII', `${key.slice(0, 20)}é${key.slice(21)}`],
  ['an invented rest', `pk_live_${'a'.repeat(38)}`],
  ['a very long text', 'pk_live_'.padEnd(100_000, 'a')],
])('a key is refused with %s', (_, text) => expect(hashValidKey('pk', text)).toBeUndefined());

test('making a key skips the bytes that would favour the first characters', () => {
  const bytes = [248, 255, 0, 61, 62, 247];
  const unfair = makeKey('pk', 'live', (n) =>
    Uint8Array.from({ length: n }, (_, i) => bytes[i % bytes.length] as number),
  );
  expect(unfair.slice(8, 12)).toBe('0z0z');
});
