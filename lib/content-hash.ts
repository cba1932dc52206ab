/** Names files that are published by what is in them, since browsers keep what they have got from such a name. */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..');

/** 16 hexadecimal digits. @param sources files and folders that decide the content, relative to the project */
export function contentHash(sources: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of sources.flatMap(filesIn))
    hash.update(path.replaceAll('\\', '/')).update(readFileSync(join(root, path)));
  return hash.digest('hex').slice(0, 16);
}

function filesIn(source: string): readonly string[] {
  if (statSync(join(root, source)).isFile()) return [source];
  return readdirSync(join(root, source), { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name).slice(root.length + 1))
    .sort();
}
