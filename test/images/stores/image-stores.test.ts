/** `folder-store.ts` and `s3-store.ts`: the promises of every store, then those of each kind. */

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { isOutage } from '../../../lambda/base/outage';
import type { ImageStore } from '../../../lambda/images/image-store';
import type { StoredPath } from '../../../lambda/images/stored-path';
import { createFolderStore } from '../../../lambda/images/stores/folder-store';
import { openImageStore } from '../../../lambda/images/stores/open-image-store';
import { createS3Store } from '../../../lambda/images/stores/s3-store';
import { createLocalAws } from '../../../local/aws';
import { createFakeImageStore } from '../../fakes/image-store';
import { listenOnLoopback } from '../../fakes/loopback';
import { type ScriptedS3, startScriptedS3 } from '../../fakes/scripted-s3';
import { makeStoredPath } from '../../fakes/values';

const connect = (endpoint: string) =>
  new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    maxAttempts: 1,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });

/** Starts a store of each kind. `stop` ends it. */
const kinds: Readonly<
  Record<string, () => Promise<{ readonly imageStore: ImageStore; stop(): Promise<void> }>>
> = {
  'a folder, named by its URL': async () => {
    const folder = await mkdtemp(join(tmpdir(), 'store with space-'));
    return {
      imageStore: openImageStore(pathToFileURL(folder).href),
      stop: () => rm(folder, { recursive: true }),
    };
  },
  'S3 over HTTP': async () => createStoreOver(await startScriptedS3()),
  "S3's calls of a local service": async () => {
    const { respond } = createLocalAws({ imageStore: createFakeImageStore(), onFailure: () => undefined });
    const { address, stop } = await listenOnLoopback((request, response) => void respond(request, response));
    return createStoreOver({ endpoint: address, stop });
  },
};

function createStoreOver(s3: { readonly endpoint: string; stop(): Promise<void> }) {
  const client = connect(s3.endpoint);
  return {
    imageStore: createS3Store(client, 'images'),
    stop: async () => {
      client.destroy();
      await s3.stop();
    },
  };
}

/** Collects the paths of a list. */
const collectPaths = async (paths: AsyncIterable<string>) => {
  const collected: string[] = [];
  for await (const path of paths) collected.push(path);
  return collected;
};

describe.each(Object.entries(kinds))('%s', (_, start) => {
  let subject: Awaited<ReturnType<typeof start>>;
  let imageStore: ImageStore;
  let path: StoredPath;

  beforeAll(async () => {
    subject = await start();
    imageStore = subject.imageStore;
  });
  beforeEach(() => {
    path = makeStoredPath(`public/${randomBytes(8).toString('hex')}/1920x1080.webp`);
  });
  afterAll(() => subject?.stop());

  const makeImage = (text: string) => Buffer.from(text);
  const read = async (from: StoredPath) => {
    const storedImage = await imageStore.get(from);
    return (
      storedImage && { text: Buffer.from(storedImage.bytes).toString(), mediaType: storedImage.mediaType }
    );
  };

  test('a stored image is returned unchanged', async () => {
    const bytes = randomBytes(100_000);
    expect(await imageStore.put(path, bytes)).toBe(true);
    const storedImage = await imageStore.get(path);
    expect(storedImage?.mediaType).toBe('image/webp');
    expect(Buffer.compare(Buffer.from(storedImage?.bytes ?? []), bytes)).toBe(0);
  });

  test('the first image stays when another is stored under its path', async () => {
    expect(await imageStore.put(path, makeImage('first'))).toBe(true);
    expect(await imageStore.put(path, makeImage('second'))).toBe(false);
    expect(await read(path)).toEqual({ text: 'first', mediaType: 'image/webp' });
  });

  test('of many concurrent writes, exactly one is stored completely', async () => {
    const writers = Array.from({ length: 12 }, (_, index) => `${index}`.padStart(2, '0').repeat(30_000));
    const writeResults = await Promise.all(writers.map((text) => imageStore.put(path, makeImage(text))));
    expect(writeResults.filter(Boolean)).toHaveLength(1);
    expect((await read(path))?.text).toBe(writers[writeResults.indexOf(true)]);
  });

  test('no image is found at a folder or below an image', async () => {
    const inner = makeStoredPath(`${path}/inner.png`);
    await imageStore.put(inner, makeImage('x'));
    expect(await imageStore.get(path)).toBeUndefined();
    await imageStore.remove(inner);
    const other = makeStoredPath(path.replace('1920', '1921'));
    await imageStore.put(other, makeImage('x'));
    expect(await imageStore.get(makeStoredPath(`${other}/inner.png`))).toBeUndefined();
  });

  test('the removal of a missing image is no error', async () => {
    await imageStore.put(path, makeImage('first'));
    await imageStore.remove(path);
    await imageStore.remove(path);
    expect(await imageStore.get(path)).toBeUndefined();
    expect(await imageStore.put(path, makeImage('second'))).toBe(true);
    expect((await read(path))?.text).toBe('second');
  });

  test('a list has exactly the paths that begin with the prefix', async () => {
    const folder = `private/${randomBytes(8).toString('hex')}`;
    const wanted = Array.from({ length: 7 }, (_, index) => `${folder}/one/${index}/a.webp`);
    for (const there of [...wanted, `${folder}/one.webp`, `${folder}/other/a.webp`])
      await imageStore.put(makeStoredPath(there), makeImage('x'));
    expect((await collectPaths(imageStore.list(`${folder}/one/`))).sort()).toEqual(wanted);
    expect(await collectPaths(imageStore.list(`${folder}/one`))).toHaveLength(8);
    expect(await collectPaths(imageStore.list(`${folder}/two/`))).toEqual([]);
    for await (const there of imageStore.list(`${folder}/one/`)) await imageStore.remove(there);
    expect(await collectPaths(imageStore.list(`${folder}/`))).toHaveLength(2);
  });
});

describe('createFolderStore', () => {
  const onPosix = process.platform === 'win32' ? it.skip : it;
  onPosix.each([0, 0o022, 0o077])('a folder is open to its owner only, with the umask %o', async (umask) => {
    const parent = await mkdtemp(join(tmpdir(), 'store-'));
    const folder = join(parent, 'images');
    const before = process.umask(umask);
    try {
      await createFolderStore(folder).put(makeStoredPath('public/a/b/1x1.png'), Buffer.from('x'));
    } finally {
      process.umask(before);
    }
    const readMode = async (name: string) => (await stat(join(folder, name))).mode & 0o777;
    const names = ['.', '.drafts', 'public', 'public/a', 'public/a/b', 'public/a/b/1x1.png'];
    expect(await Promise.all(names.map(readMode))).toEqual([0o700, 0o700, 0o700, 0o700, 0o700, 0o600]);
    await rm(parent, { recursive: true });
  });
});

describe('createS3Store', () => {
  let s3: ScriptedS3;
  let client: S3Client;
  beforeEach(async () => {
    s3 = await startScriptedS3();
    client = connect(s3.endpoint);
  });
  afterEach(async () => {
    client.destroy();
    await s3.stop();
  });

  const image = Buffer.from('x');

  test('shared caches may keep public images only', async () => {
    const imageStore = createS3Store(client, 'images');
    await imageStore.put(makeStoredPath('stock/a.jpg'), image);
    await imageStore.put(makeStoredPath('private/a.jpg'), image);
    expect(s3.requests.map(({ headers }) => headers['cache-control'])).toEqual([
      'public, max-age=31536000, immutable',
      'private, max-age=31536000, immutable',
    ]);
    expect(s3.requests.map(({ headers }) => headers['if-none-match'])).toEqual(['*', '*']);
  });

  test('a write is sent three times at most while another one is under way', async () => {
    const imageStore = createS3Store(client, 'images');
    s3.failures.push(409, 409);
    expect(await imageStore.put(makeStoredPath('stock/a.jpg'), image)).toBe(true);
    s3.failures.push(409, 409, 409, 409);
    await expect(imageStore.put(makeStoredPath('stock/b.jpg'), image)).rejects.toMatchObject({
      name: 'ConditionalRequestConflict',
    });
    expect(s3.requests).toHaveLength(6);
  });

  test('a rendition that is read in its last ten days is renewed', async () => {
    const imageStore = createS3Store(client, 'images', () => s3.nowMs);
    const paths = ['stock/a.jpg', 'private/a.jpg', 'masters/a.jpg'].map(makeStoredPath);
    for (const path of paths) await imageStore.put(path, image);
    const listCopiesAfter = async (days: number) => {
      s3.nowMs += days * 86_400_000;
      s3.requests.length = 0;
      for (const path of paths) expect(await imageStore.get(path)).toMatchObject({ mediaType: 'image/jpeg' });
      return s3.requests.filter(({ method }) => method === 'PUT').map(({ path, headers }) => [path, headers]);
    };
    expect(await listCopiesAfter(19)).toEqual([]);
    const makeHeaders = (visibility: string) => ({
      'cache-control': `${visibility}, max-age=31536000, immutable`,
      'content-type': 'image/jpeg',
    });
    expect(await listCopiesAfter(2)).toEqual([
      ['/images/stock/a.jpg', expect.objectContaining(makeHeaders('public'))],
      ['/images/private/a.jpg', expect.objectContaining(makeHeaders('private'))],
    ]);
    expect(await listCopiesAfter(20)).toEqual([]);
    s3.nowMs += 86_400_000;
    const file = { mediaType: 'image/jpeg', bytes: new Uint8Array(image) };
    s3.failures.push(undefined, 503);
    const renewalError = expect.objectContaining({ message: 'S3 did not answer' });
    expect(await imageStore.get(makeStoredPath('stock/a.jpg'))).toEqual({ ...file, renewalError });
    expect(await imageStore.get(makeStoredPath('stock/a.jpg'))).toEqual(file);
  });

  test('a list leaves out other files of the bucket', async () => {
    const imageStore = createS3Store(client, 'images');
    await imageStore.put(makeStoredPath('stock/a.jpg'), image);
    for (const Key of ['stock/', 'stock/readme.txt'])
      await client.send(new PutObjectCommand({ Bucket: 'images', Key, Body: 'x' }));
    expect(await collectPaths(imageStore.list('stock/'))).toEqual(['stock/a.jpg']);
  });

  test('a failure of S3 is an `Outage`, unlike a refusal', async () => {
    const imageStore = createS3Store(client, 'images');
    const path = makeStoredPath('stock/a.jpg');
    const calls = [
      () => imageStore.get(path),
      () => imageStore.put(path, image),
      () => imageStore.remove(path),
      () => imageStore.list('stock/')[Symbol.asyncIterator]().next(),
    ];
    for (const status of [403, 429, 500, 503, 0])
      for (const call of calls) {
        s3.failures.splice(0, 9, status);
        const error = await call().catch((reason: unknown) => reason);
        expect([status, isOutage(error)]).toEqual([status, status !== 403]);
      }
  });
});

describe('openImageStore', () => {
  test.each(['https://bucket', 's3://', 'bucket'])('the URL %j names no image store', (url) => {
    expect(() => openImageStore(url)).toThrow();
  });
});
