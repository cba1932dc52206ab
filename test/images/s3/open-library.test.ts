/** What every image library promises, and the particulars of each. */

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { isOutage } from '../../../lambda/base/outage';
import type { ImageLibrary } from '../../../lambda/images/image-library';
import type { LibraryPath } from '../../../lambda/images/library-path';
import { createFilesystemLibrary } from '../../../lambda/images/s3/filesystem-library';
import { createImageLibrary } from '../../../lambda/images/s3/open-library';
import { createS3Library } from '../../../lambda/images/s3/s3-library';
import { createLocalAws } from '../../../local/aws';
import { libraryPath } from '../../fakes/branded';
import { createFakeImageLibrary } from '../../fakes/image-library';
import { listenOnLoopback } from '../../fakes/loopback';
import { type ScriptedS3, startScriptedS3 } from '../../fakes/scripted-s3';

const connect = (endpoint: string) =>
  new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    maxAttempts: 1,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });

/** Each kind of library, with what ends it. */
const kinds: Readonly<
  Record<string, () => Promise<{ readonly library: ImageLibrary; stop(): Promise<void> }>>
> = {
  'a folder, named by its URL': async () => {
    const folder = await mkdtemp(join(tmpdir(), 'library with space-'));
    return {
      library: createImageLibrary(pathToFileURL(folder).href),
      stop: () => rm(folder, { recursive: true }),
    };
  },
  'S3 over HTTP': async () => overS3(await startScriptedS3()),
  "S3's calls of a local service": async () => {
    const { answer } = createLocalAws({ library: createFakeImageLibrary(), onFailure: () => undefined });
    const { address, stop } = await listenOnLoopback((request, response) => void answer(request, response));
    return overS3({ endpoint: address, stop });
  },
};

function overS3(s3: { readonly endpoint: string; stop(): Promise<void> }) {
  const client = connect(s3.endpoint);
  return {
    library: createS3Library(client, 'images'),
    stop: async () => {
      client.destroy();
      await s3.stop();
    },
  };
}

/** All paths of a listing. */
const collect = async (paths: AsyncIterable<string>) => {
  const all: string[] = [];
  for await (const each of paths) all.push(each);
  return all;
};

describe.each(Object.entries(kinds))('every image library: %s', (_, start) => {
  let subject: Awaited<ReturnType<typeof start>>;
  let library: ImageLibrary;
  let path: LibraryPath;

  beforeAll(async () => {
    subject = await start();
    library = subject.library;
  });
  beforeEach(() => {
    path = libraryPath(`public/${randomBytes(8).toString('hex')}/1920x1080.webp`);
  });
  afterAll(() => subject?.stop());

  const image = (text: string, mediaType = 'image/webp') => ({ bytes: Buffer.from(text), mediaType });
  const read = async (from: LibraryPath) => {
    const stored = await library.get(from);
    return stored && { text: Buffer.from(stored.bytes).toString(), mediaType: stored.mediaType };
  };

  it('gives back exactly what was stored', async () => {
    const bytes = randomBytes(100_000);
    expect(await library.put(path, { bytes, mediaType: 'image/webp' })).toBe(true);
    const stored = await library.get(path);
    expect(stored?.mediaType).toBe('image/webp');
    expect(Buffer.compare(Buffer.from(stored?.bytes ?? []), bytes)).toBe(0);
  });

  it('keeps the first image when another is stored under its path', async () => {
    expect(await library.put(path, image('first'))).toBe(true);
    expect(await library.put(path, image('second'))).toBe(false);
    expect(await read(path)).toEqual({ text: 'first', mediaType: 'image/webp' });
  });

  it('stores exactly one of many concurrent writes, completely', async () => {
    const writers = Array.from({ length: 12 }, (_, index) => `${index}`.padStart(2, '0').repeat(30_000));
    const stored = await Promise.all(writers.map((text) => library.put(path, image(text))));
    expect(stored.filter(Boolean)).toHaveLength(1);
    expect((await read(path))?.text).toBe(writers[stored.indexOf(true)]);
  });

  it('has nothing where nothing was stored', async () => {
    expect(await library.get(path)).toBeUndefined();
  });

  it('takes no folder for an image, and has nothing below one', async () => {
    const inner = libraryPath(`${path}/inner.png`);
    await library.put(inner, image('x', 'image/png'));
    expect(await library.get(path)).toBeUndefined();
    await library.remove(inner);
    const other = libraryPath(path.replace('1920', '1921'));
    await library.put(other, image('x'));
    expect(await library.get(libraryPath(`${other}/inner.png`))).toBeUndefined();
  });

  it('removes an image, also when it is already gone', async () => {
    await library.put(path, image('first'));
    await library.remove(path);
    await library.remove(path);
    expect(await library.get(path)).toBeUndefined();
    expect(await library.put(path, image('second'))).toBe(true);
    expect((await read(path))?.text).toBe('second');
  });

  it('lists the paths that begin with a prefix, and no others', async () => {
    const folder = `private/${randomBytes(8).toString('hex')}`;
    const wanted = Array.from({ length: 7 }, (_, index) => `${folder}/one/${index}/a.webp`);
    for (const there of [...wanted, `${folder}/one.webp`, `${folder}/other/a.webp`])
      await library.put(libraryPath(there), image('x'));
    expect((await collect(library.list(`${folder}/one/`))).sort()).toEqual(wanted);
    expect(await collect(library.list(`${folder}/one`))).toHaveLength(8);
    expect(await collect(library.list(`${folder}/two/`))).toEqual([]);
    for await (const there of library.list(`${folder}/one/`)) await library.remove(there);
    expect(await collect(library.list(`${folder}/`))).toHaveLength(2);
  });

  it.each(['/', '../', 'public/../', 'public//', '.'])('refuses to list %j', async (bad) => {
    await expect(collect(library.list(bad))).rejects.toThrow(RangeError);
  });

  // What else is no path, `library-path.test.ts` asks.
  it.each(['', '/etc/passwd.png', 'public/../../outside.webp'])('refuses the path %j', async (text) => {
    const bad = libraryPath(text);
    await expect(library.put(bad, image('x'))).rejects.toThrow(RangeError);
    await expect(library.get(bad)).rejects.toThrow(RangeError);
    await expect(library.remove(bad)).rejects.toThrow(RangeError);
  });
});

describe('a folder', () => {
  const onPosix = process.platform === 'win32' ? it.skip : it;
  onPosix.each([0, 0o022, 0o077])('is open to its owner only, with the umask %o', async (umask) => {
    const parent = await mkdtemp(join(tmpdir(), 'library-'));
    const folder = join(parent, 'images');
    const before = process.umask(umask);
    try {
      const image = { bytes: Buffer.from('x'), mediaType: 'image/png' };
      await createFilesystemLibrary(folder).put(libraryPath('public/a/b/1x1.png'), image);
    } finally {
      process.umask(before);
    }
    const modeOf = async (name: string) => (await stat(join(folder, name))).mode & 0o777;
    const names = ['.', '.drafts', 'public', 'public/a', 'public/a/b', 'public/a/b/1x1.png'];
    expect(await Promise.all(names.map(modeOf))).toEqual([0o700, 0o700, 0o700, 0o700, 0o700, 0o600]);
    await rm(parent, { recursive: true });
  });
});

describe('S3', () => {
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

  const image = { bytes: Buffer.from('x'), mediaType: 'image/jpeg' };

  it('allows caches to store public images for a year, and shared caches no private ones', async () => {
    const library = createS3Library(client, 'images');
    await library.put(libraryPath('stock/a.jpg'), image);
    await library.put(libraryPath('private/a.jpg'), image);
    expect(s3.requests.map(({ headers }) => headers['cache-control'])).toEqual([
      'public, max-age=31536000, immutable',
      'private, max-age=31536000, immutable',
    ]);
    expect(s3.requests.map(({ headers }) => headers['if-none-match'])).toEqual(['*', '*']);
  });

  it('writes again while another write of the same key is under way, three times at most', async () => {
    const library = createS3Library(client, 'images');
    s3.failures.push(409, 409);
    expect(await library.put(libraryPath('stock/a.jpg'), image)).toBe(true);
    s3.failures.push(409, 409, 409, 409);
    await expect(library.put(libraryPath('stock/b.jpg'), image)).rejects.toMatchObject({
      name: 'ConditionalRequestConflict',
    });
    expect(s3.requests).toHaveLength(6);
  });

  it('lets a rendition that is read in its last days begin its days anew, and no other image', async () => {
    const library = createS3Library(client, 'images', () => s3.nowMs);
    const paths = ['stock/a.jpg', 'private/a.jpg', 'masters/a.jpg'].map(libraryPath);
    for (const path of paths) await library.put(path, image);
    const copiesAfterDays = async (days: number) => {
      s3.nowMs += days * 86_400_000;
      s3.requests.length = 0;
      for (const path of paths) expect(await library.get(path)).toMatchObject({ mediaType: 'image/jpeg' });
      return s3.requests.filter(({ method }) => method === 'PUT').map(({ path, headers }) => [path, headers]);
    };
    expect(await copiesAfterDays(19)).toEqual([]);
    const copied = (visibility: string) => ({
      'cache-control': `${visibility}, max-age=31536000, immutable`,
      'content-type': 'image/jpeg',
    });
    expect(await copiesAfterDays(2)).toEqual([
      ['/images/stock/a.jpg', expect.objectContaining(copied('public'))],
      ['/images/private/a.jpg', expect.objectContaining(copied('private'))],
    ]);
    expect(await copiesAfterDays(20)).toEqual([]);
    s3.nowMs += 86_400_000;
    // It was found and could not be kept, so it is not given out.
    s3.failures.push(undefined, 403);
    await expect(library.get(libraryPath('stock/a.jpg'))).rejects.toThrow();
    expect(await library.get(libraryPath('stock/a.jpg'))).toMatchObject({
      mediaType: 'image/jpeg',
      bytes: Buffer.from('x'),
    });
  });

  it('lists images alone, whatever else the bucket holds', async () => {
    const library = createS3Library(client, 'images');
    await library.put(libraryPath('stock/a.jpg'), image);
    for (const Key of ['stock/', 'stock/readme.txt'])
      await client.send(new PutObjectCommand({ Bucket: 'images', Key, Body: 'x' }));
    expect(await collect(library.list('stock/'))).toEqual(['stock/a.jpg']);
  });

  it('reports a refusal as a fault, and a failure of S3 as an outage, not as a missing image', async () => {
    const library = createS3Library(client, 'images');
    const path = libraryPath('stock/a.jpg');
    const calls = [
      () => library.get(path),
      () => library.put(path, image),
      () => library.remove(path),
      () => library.list('stock/')[Symbol.asyncIterator]().next(),
    ];
    const isOutageOf = async (call: () => Promise<unknown>) =>
      isOutage(
        await call().then(
          () => undefined,
          (error: unknown) => error,
        ),
      );
    for (const status of [403, 429, 500, 503, 0])
      for (const call of calls) {
        s3.failures.splice(0, 9, status);
        expect([status, await isOutageOf(call)]).toEqual([status, status !== 403]);
      }
  });
});

describe('the URL of an image library', () => {
  it.each(['https://bucket', 's3://', 'bucket'])('cannot be %j', (url) => {
    expect(() => createImageLibrary(url)).toThrow();
  });
});
