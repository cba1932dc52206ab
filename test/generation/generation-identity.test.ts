/** What makes a generation the same one: what accounts have paid for is found by it, across versions. */

import { generationIdentity } from '../../lambda/generation/generation-identity';
import { sha256Hex } from '../../lambda/requests/image-request';
import { aiCaller, aiRequest } from '../fakes/ai';
import { accountId } from '../fakes/branded';

const hashOf = (...parts: readonly unknown[]) => sha256Hex(JSON.stringify(parts));
const fox = { ...aiRequest, query: 'Red-Fox', visibility: 'public' } as const;

test('it is named by account, mode, visibility, words, style, shape and variation', () => {
  const base = generationIdentity(fox, aiCaller, undefined);
  const key = (hash: string, rest = 'live#acc_1#public') => `G#${rest}#${hash}`;
  const hash = hashOf('red fox', 'photo', '3:2', null);
  expect(base).toMatchObject({
    key: key(hash),
    imageId: sha256Hex(key(hash)).slice(0, 32),
    similarityKey: hashOf('red fox', 'photo'),
    order: { words: 'red fox', style: 'photo', bucket: '3:2' },
  });
  const dark = generationIdentity({ ...fox, style: 'dark' }, aiCaller, 2);
  expect(dark.key).toBe(key(hashOf('red fox', 'dark', '3:2', 2)));
  expect(dark.similarityKey).toBe(hashOf('red fox', 'dark'));
  // What a test key has made is private whatever was asked.
  expect(generationIdentity(fox, { ...aiCaller, kind: 'test' }, undefined).key).toBe(
    key(hash, 'test#acc_1#private'),
  );
});

test('it is drawn from the same seed again and in its variations, and from another for another account, style or shape', () => {
  const seedOf = (more = {}, by = aiCaller, variation?: number) =>
    generationIdentity({ ...fox, ...more }, by, variation).order.seed;
  expect([seedOf(), seedOf({ visibility: 'private' }), seedOf({}, aiCaller, 3)]).toEqual(
    Array(3).fill(seedOf()),
  );
  const others = [
    seedOf({ style: 'dark' }),
    seedOf({ widthPx: 200 }),
    seedOf({}, { ...aiCaller, account: accountId('acc_2') }),
  ];
  expect(new Set([seedOf(), ...others]).size).toBe(4);
});
