/** Rows of the functions as they are deployed: cold and warm starts, and renditions, each beside a program with the same calls. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { bundle, entryOf, projectRoot } from '../../lib/functions/bundle';
import { type Loopback, startLoopback } from './loopback';
import { ask, comparePairs, type Row, startChild } from './pairs';

const child = join(__dirname, 'child.mjs');
const program = (name: string) => `tools/bench/programs/${name}.ts`;

/** File that an entry is built into, by the deployment's own call of esbuild. */
const build = (entry: string) =>
  join(bundle({ entry, outDir: `.build/bench/${entry.replaceAll('/', '-')}` }).folder, 'main.mjs');

/** A function, and the highest ratios of its first and of a later call to the program. */
const functions = [
  { name: 'api', cold: 1.5, warm: 1.5 },
  { name: 'authorizer', cold: 1.2, warm: undefined },
] as const;

interface Answer {
  readonly ms: number;
  readonly result?: { readonly headers?: { readonly Location?: string }; readonly context?: object };
}

/** Cold: a new process, its connection over TLS and its first answer. Warm: a known image with its one write. */
export async function measureFunctions(): Promise<readonly Row[]> {
  const loopback = await startLoopback();
  const rows: Row[] = [];
  try {
    for (const { name, cold, warm } of functions) {
      const event = readFileSync(join(projectRoot, 'events', `${name}-live.json`), 'utf8');
      // The free plan has no analytics, which would be a second write.
      const start = startOf(loopback, event.replace(/"plan": "\w+"/, '"plan": "free"'));
      const [whole, least] = [build(entryOf(name)), build(program(`sdk-${name}`))];
      const placeIn = ({ result }: Answer) => result?.headers?.Location ?? result?.context;
      const [ours, theirs] = [(await start(whole)).answer, (await start(least)).answer];
      if (!isDeepStrictEqual(placeIn(ours), placeIn(theirs)))
        throw new Error(`${name} and its program answer differently: ${JSON.stringify([ours, theirs])}`);
      const coldOf = (file: string) => async () => {
        const { process, answer } = await start(file);
        process.kill('SIGKILL');
        return answer.ms;
      };
      const sides = { measured: coldOf(whole), least: coldOf(least) };
      rows.push(await comparePairs({ name: `cold: ${name}`, bound: cold, count: 15, ...sides }));
      if (warm === undefined) continue;
      const [a, b] = [(await start(whole)).process, (await start(least)).process];
      // What is warm has been compiled for speed, which takes thousands of calls.
      for (const process of [a, b]) await ask(process, 4_000);
      const warmOf = (process: typeof a) => async () => (await ask<Answer>(process, 200)).ms;
      const calls = { measured: warmOf(a), least: warmOf(b) };
      rows.push(await comparePairs({ name: `warm: ${name}`, bound: warm, count: 20, ...calls }));
    }
  } finally {
    loopback.stop();
  }
  return rows;
}

function startOf({ environment }: Loopback, event: string) {
  return async (file: string) => {
    const process = startChild(child, [file, 'handler', event], environment);
    return { process, answer: await ask<Answer>(process) };
  };
}

/** Name, the exports of both sides in `programs/images.ts`, and the highest ratio. */
const operations = [
  ['render: WebP beside sharp alone', 'renderWebP', 'resizeWebP', 1.25],
  ['render: AVIF beside sharp alone', 'renderAVIF', 'resizeAVIF', 0.1],
  ['render: manifest beside its JPEG', 'manifestJPEG', 'renderJPEG', 0.2],
] as const;

/** Renditions of 1920 × 1080, and the manifest that is signed into one. */
export async function measureRenditions(): Promise<readonly Row[]> {
  const file = build(program('images'));
  const rows: Row[] = [];
  for (const [name, measured, least, bound] of operations) {
    const side = async (operation: string) => {
      const process = startChild(child, [file, operation, 'null']);
      await ask(process);
      return { process, ms: async () => (await ask<Answer>(process, 1)).ms };
    };
    const [ours, theirs] = [await side(measured), await side(least)];
    rows.push(await comparePairs({ name, bound, count: 9, measured: ours.ms, least: theirs.ms }));
    for (const { process } of [ours, theirs]) process.kill('SIGKILL');
  }
  return rows;
}
