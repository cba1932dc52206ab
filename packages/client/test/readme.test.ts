/** Builds every snippet of the documents as printed, with the sources behind the imports of the package. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { exports } from '../package.json';

const root = join(__dirname, '../../..');
/** The source behind an entry of the package. */
const findSource = (entry: string) =>
  exports[entry as keyof typeof exports].replace(/dist\/(.*)js$/, 'src/$1ts');

const snippets = ['README.md', 'docs/use.md', 'packages/client/README.md'].flatMap((document) =>
  [...readFileSync(join(root, document), 'utf8').matchAll(/^```(jsx?|json|html)\n([\s\S]*?)^```/gm)].map(
    ([, language = '', code = ''], index) => [document, index + 1, language, code] as const,
  ),
);

/** Packages of others, which a reader has. */
const elsewhere = ['next/*', '@nuxt/*', 'react'];

const buildCode = (code: string, loader: 'jsx' | 'js') =>
  build({
    stdin: { contents: code, loader, resolveDir: root },
    ...{ bundle: true, write: false, format: 'esm', platform: 'node', logLevel: 'silent' },
    external: [...elsewhere, 'astro/*'],
    plugins: [
      {
        name: 'entries',
        setup({ onResolve }) {
          onResolve({ filter: /^@image-redirect\/client/ }, ({ path }) => ({
            path: join(root, 'packages/client', findSource(path.replace('@image-redirect/client', '.'))),
          }));
        },
      },
    ],
  });

test.each(snippets)('%s has a valid snippet %i (%s)', async (_document, _index, language, code) => {
  if (language === 'json') return void JSON.parse(code);
  if (language === 'html') return void expect(code).toMatch(/^<[^<>]+>(?:[^<>]*<[^<>]+>)*\s*$/);
  const { errors, warnings } = await buildCode(code, language === 'jsx' ? 'jsx' : 'js');
  expect([...errors, ...warnings]).toEqual([]);
});
