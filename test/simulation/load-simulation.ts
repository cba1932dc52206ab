/** Builds the simulation as one script, of the sources as they are or with a mutant's changes. */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { build, type Plugin } from 'esbuild';
import type { Edit } from './mutants';
import type * as Simulation from './simulate';
import type { History, Seeds } from './thread';

const root = join(__dirname, '../..');

/** Most histories search for the same few texts, of which the package that reads them takes a tenth of the time. */
const readsOnce: Edit = [
  'lambda/stock/understand.ts',
  'readTerms',
  'nlp(text).json()',
  '((nlp.read ??= {})[text] ??= nlp(text).json())',
];

/** Without modules between its functions, a history takes a quarter less time. @param edits changes of the sources. @throws for one whose place is not found */
export async function loadSimulation(edits: readonly Edit[] = []): Promise<typeof Simulation> {
  const loaded = { exports: {} as typeof Simulation };
  const script = await bundled('simulate.ts', edits, 'external');
  // Packages are loaded once, also where a test runner has a `require` of its own.
  const require = process.getBuiltinModule('node:module').createRequire(__filename);
  compileFunction(script, ['require', 'module', 'exports'], { filename: 'simulation.js' })(
    require,
    loaded,
    loaded.exports,
  );
  return loaded.exports;
}

/** Simulates histories on all processors, in any order. @param onHistory returns whether to go on */
export async function simulateAll(
  from: number,
  histories: number,
  onHistory: (history: History) => boolean,
): Promise<void> {
  const source = await bundled('thread.ts', [], 'bundle');
  const step = availableParallelism();
  const threads = Array.from({ length: step }, (_, index) => {
    const workerData: Seeds = { from: from + index, below: from + histories, step };
    return new Worker(source, { eval: true, workerData, resourceLimits: { maxYoungGenerationSizeMb: 64 } });
  });
  const ended = threads.map((thread) => once(thread, 'exit'));
  for (const thread of threads)
    thread.on('message', (history) => {
      if (!onHistory(history)) for (const each of threads) void each.terminate();
    });
  await Promise.all(ended);
}

async function bundled(
  entry: string,
  edits: readonly Edit[],
  packages: 'bundle' | 'external',
): Promise<string> {
  const built = await build({
    entryPoints: [join(__dirname, entry)],
    bundle: true,
    platform: 'node',
    write: false,
    packages,
    plugins: [edited([readsOnce, ...edits])],
  });
  return built.outputFiles[0]?.text ?? '';
}

function edited(edits: readonly Edit[]): Plugin {
  return {
    name: 'edited',
    setup: ({ onLoad }) =>
      onLoad({ filter: /\/lambda\/.*\.ts$/ }, ({ path }) => {
        const own = edits.filter(([file]) => join(root, file) === path);
        if (own.length === 0) return undefined;
        return { contents: own.reduce(apply, readFileSync(path, 'utf8')), loader: 'ts' };
      }),
  };
}

/** Replaces the first occurrence within a function. */
function apply(source: string, [file, within, from, to]: Edit): string {
  const start = source.search(new RegExp(`(?:function|const|async) ${within}\\b`));
  const at = start < 0 ? -1 : source.indexOf(from, start);
  if (at < 0) throw new Error(`${file} has no ${from} in ${within}`);
  return source.slice(0, at) + to + source.slice(at + from.length);
}
