/** The size of a cold start: the bytes that a function loads, without unused built-ins and libraries. */

import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Bundle, bundle, entryOf, importsSharp, projectRoot } from '../../lib/functions/bundle';

import { builtFunction, type FunctionName } from './runtime/built-function';
import { bytesLoadedWith, filesLoadedWith } from './runtime/loaded-files';
import { type LocalAccount, startLocalAccount } from './runtime/local-account';
import { runBundle } from './runtime/run-bundle';

const eventOf = (name: string): unknown =>
  JSON.parse(readFileSync(join(projectRoot, 'events', `${name}.json`), 'utf8'));

const sizeOf = (paths: readonly string[]) => paths.reduce((sum, path) => sum + statSync(path).size, 0);

const kilobytes = 1_024;

const bundles = new Map<FunctionName, Bundle>();
const bundleOf = (name: FunctionName): Bundle => {
  const made = bundles.get(name) ?? builtFunction(name);
  bundles.set(name, made);
  return made;
};

let account: LocalAccount;
beforeAll(async () => {
  account = await startLocalAccount();
}, 60_000);
afterAll(async () => {
  rmSync(join(projectRoot, '.build', 'test-bundles'), { recursive: true, force: true });
  await account.stop();
});

test('a stock request that finds its image known loads at most 105 KB', async () => {
  const folder = account.folderOf('redirect');
  const event = eventOf('redirect-live');
  const { outcomes: first } = await runBundle(folder, [event], account.environment);
  expect(first[0]?.result).toMatchObject({ statusCode: 302 });
  const { outcomes, loaded } = await runBundle(folder, [event], account.environment);
  expect(outcomes[0]?.result).toMatchObject({ statusCode: 302, headers: { 'X-Cache': 'HIT' } });
  expect(loaded.length).toBeGreaterThan(1);
  expect(sizeOf(loaded)).toBeLessThanOrEqual(105 * kilobytes);
}, 60_000);

test('the authorizer loads at most 45 KB, for a key it has to look up', async () => {
  const { outcomes, loaded } = await runBundle(
    account.folderOf('authorizer'),
    [eventOf('authorizer-live')],
    account.environment,
  );
  expect(outcomes[0]?.result).toMatchObject({ context: { refusal: 'invalid_api_key' } });
  expect(sizeOf(loaded)).toBeLessThanOrEqual(45 * kilobytes);
}, 60_000);

test('the hot path loads nothing of the SDK at its start, and of its core only what signing and sending take', () => {
  for (const name of ['authorizer', 'redirect'] as const) {
    const made = bundleOf(name);
    const inputs = filesLoadedWith(made, [entryOf(name)]).flatMap((path) =>
      Object.keys(made.metafile.outputs[path]?.inputs ?? {}),
    );
    expect(
      inputs.filter((path) => /node_modules\/@aws-sdk|smithy\/core.*\/(json|schema)\//.test(path)),
    ).toEqual([]);
  }
});

test.each([
  ['renderer', true],
  ['generator', true],
  ['redirect', false],
  ['sweeper', false],
] as const)('the native library is deployed beside %s: %s', (name, isBeside) => {
  expect(importsSharp(bundleOf(name))).toBe(isBeside);
});

test('an image made on Bedrock loads at most 700 KB', () => {
  const made = bundleOf('generator');
  const parts = [
    'lambda/functions/generator/main.ts',
    'lambda/generation/models/bedrock/runtime.ts',
    'lambda/generation/models/bedrock-stability.ts',
    'lambda/images/s3/s3-library.ts',
    'node_modules/@aws-sdk/credential-provider-env/dist-es/index.js',
  ];
  expect(bytesLoadedWith(made, parts)).toBeLessThanOrEqual(700 * kilobytes);
});

test('the first batch of an instance loads at most 180 KB, and nothing of the MCP server', () => {
  const made = bundleOf('redirect');
  const batch = ['lambda/functions/redirect/batch-main.ts'];
  expect(bytesLoadedWith(made, batch)).toBeLessThanOrEqual(180 * kilobytes);
  expect(bytesLoadedWith(made, [...batch, 'lambda/pages/mcp/route.ts'])).toBeLessThanOrEqual(420 * kilobytes);
});

test('the hot path carries no full zod and no logging library', () => {
  for (const name of ['authorizer', 'redirect'] as const) {
    const made = bundleOf(name);
    const { outputs } = made.metafile;
    const parts = Object.values(outputs).flatMap(({ entryPoint = [] }) => entryPoint);
    const hot = parts.filter((part) => part !== 'lambda/pages/mcp/route.ts');
    const inputs = filesLoadedWith(made, hot).flatMap((path) => Object.keys(outputs[path]?.inputs ?? {}));
    expect(inputs.filter((path) => /zod\/v4\/classic|powertools|pino|winston|sharp\//.test(path))).toEqual(
      [],
    );
  }
});

test('no bundle imports a built-in module by an import statement, which would load undici', () => {
  for (const name of ['authorizer', 'redirect'] as const) {
    const { metafile } = bundleOf(name);
    const external = Object.values(metafile.outputs)
      .flatMap(({ imports }) => imports)
      .filter(({ external, kind }) => external === true && kind === 'import-statement');
    expect(external.map(({ path }) => path)).toEqual([]);
  }
});

test('the same sources give the same bytes', () => {
  const once = bundle({ entry: entryOf('authorizer'), outDir: '.build/test-bundles/once' });
  const twice = bundle({ entry: entryOf('authorizer'), outDir: '.build/test-bundles/twice' });
  const contents = ({ folder, metafile }: typeof once) =>
    Object.keys(metafile.outputs)
      .map((path) => path.replace(/^.*\//, ''))
      .sort()
      .map((file) => [file, readFileSync(join(folder, file), 'utf8')]);
  expect(contents(once)).toEqual(contents(twice));
});
