/** Has the manifests of images read by C2PA's own implementation. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ReadManifest {
  /** `Trusted` by the anchors, `Valid`, `Invalid`, or the name of an error. */
  readonly state: string;
  readonly actions?: readonly { readonly action: string; readonly digitalSourceType?: string }[];
}

/**
 * @param python with c2pa-python
 * @param anchors certificates that are trusted, as PEM
 * @param images by file name, whose ending is the format
 */
export function readManifests(
  python: string,
  anchors: string,
  images: Readonly<Record<string, Uint8Array>>,
): readonly ReadManifest[] {
  const folder = mkdtempSync(join(tmpdir(), 'manifests-'));
  const write = (name: string, content: Uint8Array | string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  try {
    const files = Object.entries(images).map(([name, bytes]) => write(name, bytes));
    const script = join(__dirname, '../../tools/deploy-test/read_manifests.py');
    const args = [script, write('anchors.pem', anchors), ...files];
    return Object.values(JSON.parse(execFileSync(python, args, { encoding: 'utf8' })));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
