/** What an entry loads at once is counted, and not what it loads later. */

import type { Metafile } from 'esbuild';
import { bytesLoadedWith } from './runtime/loaded-files';

const output = (inputs: Record<string, number>, imports: Metafile['outputs'][string]['imports'] = []) => ({
  bytes: Object.values(inputs).reduce((sum, bytes) => sum + bytes, 0),
  inputs: Object.fromEntries(
    Object.entries(inputs).map(([input, bytesInOutput]) => [input, { bytesInOutput }]),
  ),
  imports,
  exports: [],
});

const outputs: Metafile['outputs'] = {
  'out/main.mjs': {
    ...output({ 'lambda/functions/redirect/main.ts': 300, 'node_modules/zod/v4/core.js': 200 }, [
      { path: 'out/chunk.mjs', kind: 'import-statement' },
      { path: 'out/later.mjs', kind: 'dynamic-import' },
    ]),
    entryPoint: 'main.ts',
  },
  'out/chunk.mjs': output({ 'node_modules/@smithy/core/a.js': 400, 'node_modules/@smithy/core/b.js': 100 }),
  'out/later.mjs': output({ 'node_modules/@aws-sdk/client-s3/index.js': 9_000 }),
};

const built = { folder: '', metafile: { inputs: {}, outputs } };

test('bytes are added up over all files that are loaded at once, and not those that are loaded later', () => {
  expect(bytesLoadedWith(built, ['main.ts'])).toBe(1_000);
});

test('an entry without a file of its own is an error', () => {
  expect(() => bytesLoadedWith(built, ['other.ts'])).toThrow('other.ts');
});
