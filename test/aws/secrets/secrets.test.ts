/** Secrets, read over HTTP from the local Secrets Manager, and the keys that one of them holds. */

import { createSecretReader, readProviderKey } from '../../../lambda/aws/secrets/secrets';
import { createDeadline } from '../../../lambda/base/deadline';
import { createLocalAws } from '../../../local/aws';
import { reachAwsAt } from '../../fakes/aws-environment';
import { type Loopback, listenOnLoopback } from '../../fakes/loopback';

describe('createSecretReader', () => {
  let loopback: Loopback;
  let leaveAws: () => void;
  let nowMs = 0;
  /** Time that reading takes. */
  let readMs = 0;
  const readIds: string[] = [];
  const secretTexts = new Map<string, string>();
  const createInstance = () => createSecretReader({ nowMs: () => nowMs });

  beforeAll(async () => {
    const findSecret = (id: string) => {
      readIds.push(id);
      nowMs += readMs;
      return secretTexts.get(id);
    };
    const { respond } = createLocalAws({ findSecret, onFailure: () => undefined });
    loopback = await listenOnLoopback(respond);
    leaveAws = reachAwsAt(loopback.address, 'us-east-1');
  });
  afterAll(async () => {
    leaveAws();
    await loopback.stop();
  });

  test('a secret is read once in five minutes for all requests', async () => {
    secretTexts.set('signing', 'one');
    readMs = 1_000;
    const readSecret = createInstance();
    const read = () => readSecret('signing');
    expect(await Promise.all([read(), read()])).toEqual(['one', 'one']);
    secretTexts.set('signing', 'two');
    nowMs = 299_999;
    expect([await read(), readIds]).toEqual(['one', ['signing']]);
    nowMs = 300_000;
    expect(await read()).toBe('two');
  });

  test('if a secret could not be read, the next request reads it again', async () => {
    const readSecret = createInstance();
    await expect(readSecret('late')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    await expect(readSecret('late', createDeadline(nowMs))).rejects.toMatchObject({ name: 'Outage' });
    secretTexts.set('late', 'here');
    expect(await readSecret('late')).toBe('here');
  });
});

describe('readProviderKey', () => {
  const keys = { pexels: 'abc', openverse: { client_id: 'a', client_secret: 'b' }, pixabay: '', unsplash: 5 };
  const readKeyFrom = (text: string, name: string) => readProviderKey(async () => text, 'providers', name);

  test.each([
    ['a text', 'pexels', 'abc'],
    ['an object, as JSON', 'openverse', '{"client_id":"a","client_secret":"b"}'],
    ['none where it is empty', 'pixabay', undefined],
    ['none where it is no text', 'unsplash', undefined],
    ['none where it is absent', 'flickr', undefined],
  ])('the key of a provider is read from the secret: %s', async (_, name, key) => {
    expect(await readKeyFrom(JSON.stringify(keys), name)).toBe(key);
  });

  test('the error for a malformed secret repeats nothing of it', async () => {
    expect(await readKeyFrom('null', 'pexels')).toBeUndefined();
    const failToRead = () => Promise.reject(new Error('read'));
    expect(await readProviderKey(failToRead, undefined, 'pexels')).toBeUndefined();
    await expect(readProviderKey(failToRead, 'providers', 'pexels')).rejects.toThrow('read');
    const error: unknown = await readKeyFrom('{hunter2', 'pexels').catch((thrown) => thrown);
    expect(error).toEqual(new Error('The secret with the provider keys is no JSON'));
  });
});
