/** The contract of every image library. */

import { randomBytes } from 'node:crypto';
import type { ImageLibrary } from '../../lambda/images/image-library';
import type { LibraryPath } from '../../lambda/images/library-path';
import { libraryPath } from '../fakes/branded';

export interface LibraryUnderTest {
  readonly library: ImageLibrary;
  stop?(): Promise<void>;
}

/** All paths of a listing. */
export const collect = async (paths: AsyncIterable<string>) => {
  const all: string[] = [];
  for await (const each of paths) all.push(each);
  return all;
};

export function describeImageLibrary(name: string, start: () => Promise<LibraryUnderTest>): void {
  describe(`the image library: ${name}`, () => {
    let subject: LibraryUnderTest;
    let library: ImageLibrary;
    let path: LibraryPath;

    beforeAll(async () => {
      subject = await start();
      library = subject.library;
    });
    beforeEach(() => {
      path = libraryPath(`public/${randomBytes(8).toString('hex')}/1920x1080.webp`);
    });
    afterAll(() => subject?.stop?.());

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

    it('takes no folder for an image', async () => {
      await library.put(libraryPath(`${path}/inner.png`), image('x', 'image/png'));
      expect(await library.get(path)).toBeUndefined();
    });

    it('has nothing below an image', async () => {
      await library.put(path, image('x'));
      const below = libraryPath(`${path}/inner.png`);
      expect(await library.get(below)).toBeUndefined();
    });

    it('removes an image, also when it is already gone', async () => {
      await library.put(path, image('first'));
      await library.remove(path);
      await library.remove(path);
      expect(await library.get(path)).toBeUndefined();
      expect(await library.put(path, image('second'))).toBe(true);
      expect((await read(path))?.text).toBe('second');
    });

    it.each(['image/jpeg', 'image/webp', 'image/avif', 'image/png'])(
      'keeps the media type %s',
      async (type) => {
        const typed = libraryPath(path.replace('webp', type.slice('image/'.length)));
        await library.put(typed, image('x', type));
        expect((await read(typed))?.mediaType).toBe(type);
      },
    );

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

    it.each([
      '',
      '/etc/passwd.png',
      '../outside.webp',
      'public/../../outside.webp',
      'public/./a.webp',
      'public//a.webp',
      'public/.hidden.webp',
      'public/a\\..\\b.webp',
      'public/a%2e%2e.webp',
      'public/a\0.webp',
      'public/a b.webp',
      'public/a.webp\n',
      'public/a.exe',
      'public/a',
      `public/${'a'.repeat(600)}.webp`,
    ])('refuses the path %j', async (text) => {
      const bad = libraryPath(text);
      await expect(library.put(bad, image('x'))).rejects.toThrow(RangeError);
      await expect(library.get(bad)).rejects.toThrow(RangeError);
      await expect(library.remove(bad)).rejects.toThrow(RangeError);
    });

    it('refuses an image under an extension that lies about it', async () => {
      await expect(library.put(path, image('x', 'image/png'))).rejects.toThrow(RangeError);
      expect(await library.get(path)).toBeUndefined();
    });
  });
}
