/** The keys of providers come out of one secret, whose text no error repeats. */

import { createReadKey } from '../../../lambda/aws/secrets/provider-keys';

const readerOf = (secret: string) =>
  createReadKey(async (id) => (id === 'providers' ? secret : ''), 'providers');
const keys = { pexels: 'abc', openverse: { client_id: 'a', client_secret: 'b' }, pixabay: '', unsplash: 5 };

test.each([
  ['a text', 'pexels', 'abc'],
  ['an object, as JSON', 'openverse', '{"client_id":"a","client_secret":"b"}'],
  ['none where it is empty', 'pixabay', undefined],
  ['none where it is no text', 'unsplash', undefined],
  ['none where it is absent', 'flickr', undefined],
])('a key is %s', async (_, name, key) => {
  expect(await readerOf(JSON.stringify(keys))(name)).toBe(key);
});

test('a secret that holds nothing has no keys, and no secret is read where none is configured', async () => {
  expect(await readerOf('null')('pexels')).toBeUndefined();
  const unread = () => Promise.reject(new Error('read'));
  expect(await createReadKey(unread, undefined)('pexels')).toBeUndefined();
  await expect(createReadKey(unread, 'providers')('pexels')).rejects.toThrow('read');
});

test('a secret that is no JSON is not repeated', async () => {
  const error: unknown = await readerOf('{hunter2')('pexels').catch((thrown) => thrown);
  expect(error).toEqual(new Error('The secret with the provider keys is no JSON'));
});
