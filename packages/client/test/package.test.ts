/** What the package promises of itself: its size, its entries, and what it depends on. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const folder = join(__dirname, '..');
const described = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
  exports: Record<string, string>;
  dependencies: Record<string, string>;
};

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
])('the entry %s has at most %i bytes with the imports %j', async (entry, bytesMax, imports) => {
  const measured = await measure(entry);
  expect(measured.bytes).toBeLessThanOrEqual(bytesMax);
  expect(measured.imports).toEqual(imports);
});

test('the client package depends on one package, for whole pages', () => {
  expect(Object.keys(described.dependencies)).toEqual(['parse5']);
});

test('the client package has a source behind every entry', () => {
  for (const target of Object.values(described.exports)) {
    const source = target.replace(/^\.\/dist\/(.*)\.js$/, './src/$1.ts');
    expect(existsSync(join(folder, source))).toBe(true);
  }
});
