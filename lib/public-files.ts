/** Makes the files below `public/`: client package, example pictures, and the card of a missing file. */

import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Example, exampleImages, examplesFolder } from '../lambda/contract/example-images';
import { publicFiles } from '../lambda/contract/image-paths';
import { drawMissingFileCard } from '../lambda/http/error-card';

/** The makers of the files, by path. The local service makes a file when it is first asked for. */
export const publicFileMakers: ReadonlyMap<string, () => Promise<Buffer>> = new Map([
  [publicFiles.missingFileCard as string, async () => Buffer.from(drawMissingFileCard())],
  [publicFiles.clientPackage, packClient],
  ...Object.entries(exampleImages).map(
    ([name, example]) => [`${examplesFolder}/${name}.webp`, () => drawExample(example)] as const,
  ),
]);

/** Media types by the extensions of the files. */
export const publicMediaTypes = {
  svg: 'image/svg+xml',
  tgz: 'application/gzip',
  webp: 'image/webp',
} as const;

/** Writes all files below a folder. Another process makes them, because synthesis of a stack is synchronous. */
export function writePublicFiles(folder: string): void {
  execFileSync(process.execPath, ['--no-warnings', '--import', 'tsx', __filename, folder]);
}

async function packClient(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'client-'));
  try {
    const file = join(folder, 'client.tgz');
    await promisify(execFile)(process.execPath, [join(__dirname, '../packages/client/bin/pack.mjs'), file]);
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function drawExample(example: Example): Promise<Buffer> {
  // Loaded on first need, because every start of the service imports this file for its paths.
  const [{ drawScene }, { default: sharp }] = await Promise.all([
    import('@image-redirect/scene'),
    import('sharp'),
  ]);
  const svg = drawScene({ ...example, seed: '', style: 'photo' });
  return sharp(Buffer.from(svg)).webp({ quality: 40, effort: 6 }).toBuffer();
}

async function writeFiles(folder: string): Promise<void> {
  for (const [path, make] of publicFileMakers) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), await make());
  }
}

if (require.main === module) void writeFiles(process.argv[2] ?? '.');
