/** Measures the entries of the package, and lists what they import. */

import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const folder = join(__dirname, '..');

/** Minified bytes after gzip, and the modules that are imported from elsewhere. */
async function measure(entry: string) {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(folder, 'src', entry)],
    ...{ bundle: true, minify: true, format: 'esm', target: 'es2022', write: false, metafile: true },
    external: ['astro/*', 'parse5'],
  });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path));
  return {
    bytes: gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length,
    imports: [...new Set(imports)],
  };
}

test.each([
  ['client.ts', 3.5 * 1024, []],
  ['next.ts', 1.9 * 1024, []],
  ['nuxt.ts', 2.3 * 1024, []],
  ['pages/fill-html.ts', 21 * 1024, ['parse5']],
  ['astro.ts', 2.5 * 1024, ['astro/assets/services/sharp']],
])('the entry %s has at most %i bytes and only its own imports', async (entry, bytesMax, imports) => {
  const measured = await measure(entry);
  expect(measured.bytes).toBeLessThanOrEqual(bytesMax);
  expect(measured.imports).toEqual(imports);
});
