/** Runs the contract of the image library on every implementation, with tests of the particulars of each. */

import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { isOutage } from '../../../lambda/base/outage';
import { renderAndStore } from '../../../lambda/images/render';
import { createFilesystemLibrary } from '../../../lambda/images/s3/filesystem-library';
import { createImageLibrary } from '../../../lambda/images/s3/open-library';
import { createS3Library } from '../../../lambda/images/s3/s3-library';
import { collect, describeImageLibrary } from '../../contracts/image-library';
import { type ScriptedS3, startScriptedS3 } from '../../contracts/scripted-s3';
import { libraryPath } from '../../fakes/branded';
import { createFakeImageLibrary } from '../../fakes/image-library';
import { createRecordedTelemetry } from '../../fakes/recorded-telemetry';

const connect = (endpoint: string) =>
  new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    maxAttempts: 1,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });

describeImageLibrary('in memory', async () => ({ library: createFakeImageLibrary() }));

describeImageLibrary('a folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'library-'));
  return {
    library: createFilesystemLibrary(folder),
    stop: () => rm(folder, { recursive: true }),
  };
});

describeImageLibrary('a folder named by its URL', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'library with space-'));
  return {
    library: createImageLibrary(pathToFileURL(folder).href),
    stop: () => rm(folder, { recursive: true }),
  };
});

describeImageLibrary('S3 over HTTP', async () => {
  const s3 = await startScriptedS3();
  const client = connect(s3.endpoint);
  return {
    library: createS3Library(client, 'images'),
    stop: async () => {
      client.destroy();
      await s3.stop();
    },
  };
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

describe('a file without content, as a full disk leaves one', () => {
  it('is no image, and is replaced by the next one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'library-'));
    const library = createFilesystemLibrary(folder);
    await mkdir(join(folder, 'public'));
    await writeFile(join(folder, 'public', 'a.png'), '');
    expect(await library.get(libraryPath('public/a.png'))).toBeUndefined();
    const image = { bytes: Buffer.from('whole'), mediaType: 'image/png' };
    expect(await library.put(libraryPath('public/a.png'), image)).toBe(true);
    expect(await library.get(libraryPath('public/a.png'))).toEqual(image);
    expect(await library.put(libraryPath('public/a.png'), image)).toBe(false);
    await rm(folder, { recursive: true });
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
    expect(await copiesAfterDays(2)).toEqual([
      [
        '/images/stock/a.jpg',
        expect.objectContaining({
          'cache-control': 'public, max-age=31536000, immutable',
          'content-type': 'image/jpeg',
        }),
      ],
      [
        '/images/private/a.jpg',
        expect.objectContaining({
          'cache-control': 'private, max-age=31536000, immutable',
          'content-type': 'image/jpeg',
        }),
      ],
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

  it('keeps a rendition that the renderer gives out again for thirty days more', async () => {
    const library = createS3Library(client, 'images', () => s3.nowMs);
    const path = libraryPath('stock/a.jpg');
    await library.put(path, image);
    const services = {
      bucket: library,
      fetching: { allowedLoopback: [] },
      telemetry: createRecordedTelemetry(),
    };
    const source = { kind: 'drawing', words: 'lake', seed: '1' } as const;
    const metadata = { creditLine: 'AI', aiGenerated: false };
    s3.nowMs += 25 * 86_400_000;
    const job = { path, source, widthPx: 100, heightPx: 100, format: 'jpeg', metadata } as const;
    expect(await renderAndStore(services, job, new AbortController().signal)).toMatchObject({
      outcome: 'stored',
    });
    const { headers } = await fetch(`${s3.endpoint}/images/stock/a.jpg`);
    expect(Date.parse(headers.get('last-modified') ?? '')).toBe(s3.nowMs);
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
