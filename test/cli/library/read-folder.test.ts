/** Tests how a folder is read: its photographs, its `library.csv`, and the files that are refused. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { type RefusedFile, readFolder } from '../../../cli/library/read-folder';

let folder: string;
let image: Buffer;
beforeAll(async () => {
  const plain = sharp({ create: { width: 120, height: 120, channels: 3, background: 'teal' } });
  image = await plain.png().toBuffer();
});
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'folder-')));
});
afterEach(() => rmSync(folder, { recursive: true }));

const writeContent = (file: string, content: string | Buffer = image) => {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), content);
};

async function read(path = folder) {
  const refused: RefusedFile[] = [];
  const photos = [];
  for await (const { bytes: _, sha256: __, ...photo } of readFolder(path, refused)) photos.push(photo);
  return { photos, refused };
}

const description = { title: 'Lake', license: 'ours' };

test('a folder gives the images of all subfolders in the order of their paths', async () => {
  const files = ['b.PNG', 'a/z.png', 'a/b/c.png'];
  for (const file of [...files, 'notes.txt', 'png', 'a/film.mp4']) writeContent(file);
  writeContent('library.csv', ['file,title,license', ...files.map((file) => `${file},Lake,ours`)].join('\n'));
  const { photos, refused } = await read();
  expect([photos.map(({ file }) => file), refused]).toEqual([['a/b/c.png', 'a/z.png', 'b.PNG'], []]);
});

test.each<[string, string | Buffer]>([
  ['of a spreadsheet with a byte order mark', '\ufefffile,title,license\r\na.png,Lake,ours\r\n'],
  ['of a spreadsheet in UTF-16', Buffer.from('\ufefffile,title,license\r\na.png,Lake,ours\r\n', 'utf16le')],
  ['with blank lines and blanks', '\nfile , title,license\n\n a.png, Lake ,ours\n'],
  ['with paths that begin with ./', 'file,title,license\n./a.png,Lake,ours\n'],
  [
    'with columns in another order and empty cells',
    'license,keywords,title,file,creator\nours,,Lake,a.png,\n',
  ],
])('words and rights come from a table %s', async (_, table) => {
  writeContent('a.png');
  writeContent('library.csv', table);
  const { photos } = await read();
  const size = { mediaType: 'image/png', width: 120, height: 120 };
  expect(photos).toEqual([{ file: 'a.png', ...description, keywords: [], ...size }]);
});

test.each([
  ['an unknown column', 'file,titel\na.png,Lake\n', 'a column "titel"; it takes file, title, desc'],
  ['rows of different lengths', 'file,title\na.png,Lake,1,2\n', 'no table of comma-separated values'],
])('a table with %s is refused', async (_, table, says) => {
  writeContent('a.png');
  writeContent('library.csv', table);
  await expect(read()).rejects.toMatchObject({ exitCode: 1, message: expect.stringContaining(says) });
});

test('a broken image is refused by its name, whatever its extension', async () => {
  const kinds = 'jpg jpeg png webp avif gif tif tiff heic heif bmp jxl'.split(' ');
  for (const kind of kinds) writeContent(`a.${kind}`, 'no image');
  const { photos, refused } = await read();
  expect([photos, refused.map(({ file }) => file)]).toEqual([[], kinds.map((kind) => `a.${kind}`).sort()]);
});

test('a link, an image of another type, and a row without a file are refused', async () => {
  writeContent('a.png');
  writeContent('still.gif', await sharp(image).gif().toBuffer());
  writeContent('library.csv', 'file,title,license\na.png,Lake,ours\ngone.png,Lake,ours\n');
  symlinkSync(join(folder, 'a.png'), join(folder, 'link.png'));
  const { photos, refused } = await read();
  expect(photos.map(({ file }) => file)).toEqual(['a.png']);
  expect(refused).toEqual([
    { file: 'gone.png', reason: expect.stringContaining('not in the folder') },
    { file: 'link.png', reason: expect.stringContaining('a link') },
    { file: 'still.gif', reason: expect.stringContaining('image/gif; JPEG, PNG, WebP and AVIF') },
  ]);
});

test('a path that is no folder is refused', async () => {
  writeContent('a.png');
  for (const [path, says] of [
    ['nowhere', 'There is no folder'],
    ['a.png', 'is no folder'],
  ] as const)
    await expect(read(join(folder, path))).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(says),
    });
});
