/** Tests what the bundles of functions carry and load at their start. */

import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Bundle,
  bundleFunction,
  findFunctionEntry,
  importsSharp,
  projectRoot,
} from '../../lib/functions/bundle';
import { buildOnce } from './runtime/built-function';

/** Output files that are loaded with a source, with all that they import in turn. */
function listFilesLoadedWith({ metafile: { outputs } }: Bundle, source: string): ReadonlySet<string> {
  const loaded = new Set<string>();
  const load = (path: string | undefined): void => {
    if (path === undefined || loaded.has(path)) return;
    loaded.add(path);
    for (const { kind, path: next, external } of outputs[path]?.imports ?? [])
      if (kind === 'import-statement' && external !== true) load(next);
  };
  load(Object.keys(outputs).find((path) => outputs[path]?.entryPoint === source));
  expect(loaded.size).toBeGreaterThan(0);
  return loaded;
}

/** Sources that a function loads at its start, relative to the project. */
const listSourcesAtStart = (name: 'authorizer' | 'api') => {
  const bundle = buildOnce(name);
  const files = listFilesLoadedWith(bundle, findFunctionEntry(name));
  return [...files].flatMap((path) => Object.keys(bundle.metafile.outputs[path]?.inputs ?? {}));
};

test.each(['authorizer', 'api'] as const)('the start of %s loads none of the heavy libraries', (name) => {
  const heavy =
    /node_modules\/(zod|@modelcontextprotocol|@aws-lambda-powertools|sharp|@aws-sdk\/client-s3)\//;
  expect(listSourcesAtStart(name).filter((path) => heavy.test(path))).toEqual([]);
});

test.each([
  ['renderer', true],
  ['generator', true],
  ['api', false],
] as const)('sharp is deployed beside %s: %s', (name, isBeside) => {
  expect(importsSharp(buildOnce(name))).toBe(isBeside);
});

test('bundleFunction gives the same bytes for the same sources', () => {
  const outDir = '.build/test-bundles';
  const listContents = (name: string) => {
    const { folder } = bundleFunction(findFunctionEntry('authorizer'), `${outDir}/${name}`);
    return readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')]);
  };
  expect(listContents('once')).toEqual(listContents('twice'));
  rmSync(join(projectRoot, outDir), { recursive: true });
});

test('api imports at most five modules on first need', () => {
  const { metafile } = buildOnce('api');
  const later = Object.entries(metafile.inputs).flatMap(([path, { imports }]) =>
    path.startsWith('node_modules/') ? [] : imports.filter(({ kind }) => kind === 'dynamic-import'),
  );
  expect(new Set(later.map(({ path }) => path)).size).toBeLessThanOrEqual(5);
});
