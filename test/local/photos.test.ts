/** The photographs of `--library`: all that can be shown is stored before the start goes on, and what is refused is said. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import sharp from 'sharp';
import { addFolder } from '../../local/photos';
import { createFakeImageLibrary } from '../fakes/image-library';
import { tablesInMemory } from '../fakes/observed';

test('of a folder, photographs are stored and the refused files are named, once it is done', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'photos-'));
  const stderr = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const plain = sharp({ create: { width: 120, height: 100, channels: 3, background: 'teal' } });
    const bytes = await plain.png().toBuffer();
    for (const name of ['lake', 'untitled']) writeFileSync(join(folder, `${name}.png`), bytes);
    writeFileSync(join(folder, 'library.csv'), 'file,title,license\nlake.png,Lake at dawn,CC0\n');
    const library = createFakeImageLibrary();
    await addFolder(folder, tablesInMemory().db as DynamoDBDocumentClient, 'images', library);
    expect([...library.images.values()].filter(({ mediaType }) => mediaType === 'image/png')).toHaveLength(1);
    expect(stderr.mock.calls).toEqual([[expect.stringMatching(/^untitled\.png is not shown: It has no /)]]);
  } finally {
    stderr.mockRestore();
    rmSync(folder, { recursive: true });
  }
});
