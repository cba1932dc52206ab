/** Builds a function as it is deployed, once for all test files of the same sources. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bundle, bundle, entryOf, projectRoot } from '../../../lib/functions/bundle';
import { madeOnce } from './source-cache';

export type FunctionName =
  | 'authorizer'
  | 'redirect'
  | 'renderer'
  | 'generator'
  | 'sweeper'
  | 'usage'
  | 'docs';

/** A function's bundle, below the project, where it finds sharp in the version for this machine. */
export function builtFunction(name: FunctionName): Bundle {
  const options = { entry: entryOf(name), external: ['sharp'] };
  const made = madeOnce(['bundle', options], (draft) => {
    const { metafile } = bundle({ ...options, outDir: `${draft}/code` });
    const text = JSON.stringify(metafile);
    // The paths of the outputs are those of the folder under its final name.
    writeFileSync(join(projectRoot, draft, 'metafile.json'), text.replaceAll(draft, '<folder>'));
  });
  const text = readFileSync(join(projectRoot, made, 'metafile.json'), 'utf8').replaceAll('<folder>', made);
  return { folder: join(projectRoot, made, 'code'), metafile: JSON.parse(text) as Bundle['metafile'] };
}
