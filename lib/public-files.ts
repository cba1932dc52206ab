/** What is published below `public/`: the client package, the example pictures, and the card of a file that is gone. */

import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Example, examples, examplesFolder } from '../lambda/contract/examples';
import { publicFiles } from '../lambda/contract/image-paths';
import { missingFileCard } from '../lambda/http/error-card';

/** Each file by its path, made when it is asked for: a local service needs few of them. */
export const makePublicFile: ReadonlyMap<string, () => Promise<Buffer>> = new Map([
  [publicFiles.missingFileCard as string, async () => Buffer.from(missingFileCard())],
  [publicFiles.clientPackage, packClient],
  ...Object.entries(examples).map(
    ([name, example]) => [`${examplesFolder}/${name}.webp`, () => drawExample(example)] as const,
  ),
]);

/** Media types by the endings of the files. */
export const publicMediaTypes = {
  svg: 'image/svg+xml',
  tgz: 'application/gzip',
  webp: 'image/webp',
} as const;

/** Writes all files below a folder, by a process of its own, as what synthesises a stack waits for nothing. */
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
  // What draws is loaded on first need: the paths are read at every start.
  const [{ drawScene }, { default: sharp }] = await Promise.all([
    import('@image-redirect/scene'),
    import('sharp'),
  ]);
  const svg = drawScene({ ...example, seed: '', style: 'photo' });
  return sharp(Buffer.from(svg)).webp({ quality: 40, effort: 6 }).toBuffer();
}

async function main(folder: string): Promise<void> {
  for (const [path, make] of makePublicFile) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), await make());
  }
}

if (require.main === module) void main(process.argv[2] ?? '.');
