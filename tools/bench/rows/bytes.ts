/** The minified bytes that functions load, compared with the DynamoDB client alone. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { type Bundle, entryOf, projectRoot } from '../../../lib/functions/bundle';
import { functionEnvironment } from '../loopback/function-environment';
import { messageOf, startProcess } from '../processes/run-process';
import { type Row, rowOf } from '../row';
import type { Bench } from './bench';
import { buildOf, eventOf, mainOf } from './built';

const kilobyte = 1_024;

export async function measureBytes(bench: Bench): Promise<readonly Row[]> {
  const alone = aloneBytes();
  const row = (name: string, bytes: number, bytesMax?: number): Row =>
    rowOf({
      group: 'bytes',
      name,
      baseline: 'the DynamoDB client alone',
      unit: 'KB',
      measured: [bytes / kilobyte],
      least: [alone / kilobyte],
      ...(bytesMax === undefined ? {} : { ratioMax: bytesMax / alone }),
    });
  const redirect = await loadedBytes(bench, 'redirect', 'redirect-live');
  const authorizer = await loadedBytes(bench, 'authorizer', 'authorizer-live');
  return [
    row('A known stock image loads', redirect, 150 * kilobyte),
    row('A key that is looked up loads', authorizer, 45 * kilobyte),
    row('The renderer, without sharp', allBytes(buildOf(entryOf('renderer')), ['main.ts'])),
    row(
      'An image generated on Bedrock loads',
      allBytes(buildOf(entryOf('generator')), bedrockParts),
      700 * kilobyte,
    ),
  ];
}

/** Both packages in one file, with everything they could ever load. */
function aloneBytes(): number {
  const { outputFiles } = buildSync({
    absWorkingDir: projectRoot,
    entryPoints: ['tools/bench/programs/dynamodb-alone.ts'],
    bundle: true,
    write: false,
    minify: true,
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    legalComments: 'none',
  });
  return sum(outputFiles, ({ contents }) => contents.byteLength);
}

const bedrockParts = [
  'lambda/functions/generator/main.ts',
  'bedrock/runtime.ts',
  'generators/bedrock-stability.ts',
  's3/connect-s3.ts',
  'credential-provider-env/dist-es/index.js',
];

/** Bytes of the files that a process really loads until it has answered its first event, by V8's own record. */
async function loadedBytes(
  { standIn }: Bench,
  name: 'redirect' | 'authorizer',
  event: 'redirect-live' | 'authorizer-live',
): Promise<number> {
  const build = buildOf(entryOf(name));
  const coverage = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    const environment = { ...functionEnvironment(standIn), NODE_V8_COVERAGE: coverage };
    const child = startProcess({
      file: 'cold.mjs',
      args: [mainOf(build), JSON.stringify(eventOf(event))],
      environment,
    });
    const exited = new Promise((resolve) => child.once('exit', resolve));
    await messageOf(child);
    await exited;
    const urls = readdirSync(coverage).flatMap((file) =>
      (JSON.parse(readFileSync(join(coverage, file), 'utf8')).result as { url: string }[]).map(
        ({ url }) => url,
      ),
    );
    const files = [...new Set(urls)]
      .filter((url) => url.startsWith('file:'))
      .map((url) => fileURLToPath(url));
    const ours = files.filter((path) => path.startsWith(build.folder));
    if (ours.length === 0) throw new Error(`${name} loaded nothing`);
    return sum(ours, (path) => statSync(path).size);
  } finally {
    rmSync(coverage, { recursive: true, force: true });
  }
}

/** Bytes of the chunks of these sources with all that they import. */
function allBytes({ metafile: { outputs } }: Bundle, sources: readonly string[]): number {
  const loaded = new Set<string>();
  const load = (path: string): void => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const { kind, path: next, external } of outputs[path]?.imports ?? [])
      if (kind === 'import-statement' && external !== true) load(next);
  };
  for (const source of sources) {
    const chunk = Object.keys(outputs).find((path) => outputs[path]?.entryPoint?.endsWith(source));
    if (chunk === undefined) throw new Error(`${source} has no chunk of its own`);
    load(chunk);
  }
  return sum([...loaded], (path) => outputs[path]?.bytes ?? 0);
}

function sum<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}
