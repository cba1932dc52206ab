/** Measures ratios: functions to programs with the same calls, new images to known ones, sharp to our use. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { drawScene } from '@image-redirect/scene';
import sharp from 'sharp';
import { createCommand, runProgram } from '../../cli/command';
import { printResult } from '../../cli/output';
import { paintSvg, renderOriginal } from '../../lambda/images/sharp/sharp-codec';
import { bundleFunction, functionEntry, projectRoot } from '../../lib/functions/bundle';
import { startLoopback } from './loopback';
import { comparePairs, type Row, spentOn } from './pairs';
import { measureService } from './service';

type Times = readonly [warmUps: number, calls: number];

/** Measures functions. Cold: new process, TLS connection, first answer. Warm: a known image, one write. */
async function measureFunctions(): Promise<readonly Row[]> {
  const { environment, stop } = await startLoopback();
  const env = { PATH: process.env['PATH'], ...environment };
  /** The answer of each function, which the program must give as well. */
  const answers = new Map<string, unknown>();
  /** Bundles an entry as for a deployment. @returns a function that measures the CPU of a call, in milliseconds */
  const side = (name: string, entry: string, times: Times) => {
    const { folder } = bundleFunction(entry, `.build/bench/${entry.replaceAll('/', '-')}`);
    const event = readFileSync(join(projectRoot, 'events', `${name}-live.json`), 'utf8');
    // The free plan has no analytics, which would be a second write.
    const free = event.replace(/"plan": "\w+"/, '"plan": "free"');
    const args = [join(__dirname, 'child.mjs'), join(folder, 'main.mjs'), free, ...times.map(String)];
    return async () => {
      const { stdout } = await promisify(execFile)(process.execPath, args, { env, maxBuffer: Infinity });
      const [ms, answer] = stdout.trimEnd().split('\n').slice(-2);
      const expected = answers.get(name) ?? answer;
      assert.equal(answer, expected);
      answers.set(name, expected);
      return Number(ms);
    };
  };
  const rowOf = (row: string, name: string, limits: { bound: number; count: number }, times: Times) =>
    comparePairs(`${row}: ${name}`, limits, [
      side(name, functionEntry(name), times),
      side(name, `tools/bench/programs/sdk-${name}.ts`, times),
    ]);
  try {
    return [
      await rowOf('cold', 'api', { bound: 1.5, count: 15 }, [0, 1]),
      await rowOf('cold', 'authorizer', { bound: 1.2, count: 15 }, [0, 1]),
      // V8 has optimised a function after some thousands of calls.
      await rowOf('warm', 'api', { bound: 1.5, count: 5 }, [4_000, 2_000]),
    ];
  } finally {
    stop();
  }
}

/** Measures renditions of 1920 × 1080, by the service and by sharp's defaults. */
async function measureRenditions(): Promise<readonly Row[]> {
  const scene = { words: 'mountain lake at dawn', style: 'photo', seed: '1' } as const;
  const metadata = { creditLine: 'Drawn by the sandbox', aiGenerated: false };
  const recipe = { widthPx: 1_920, heightPx: 1_080, metadata };
  const master = { ...recipe, format: 'jpeg', purpose: 'master' } as const;
  const { bytes } = await paintSvg(drawScene({ ...scene, widthPx: 1_536, heightPx: 864 }), master);
  const rowOf = (format: 'webp' | 'avif', bound: number) =>
    comparePairs(`render: ${format}`, { bound, count: 9 }, [
      cpuOf(() => renderOriginal(bytes, { ...recipe, format })),
      cpuOf(() => sharp(bytes).resize(1_920, 1_080).toFormat(format).toBuffer()),
    ]);
  return [await rowOf('webp', 1.25), await rowOf('avif', 0.1)];
}

const cpuOf = spentOn(async () => (process.cpuUsage().user + process.cpuUsage().system) / 1_000);

async function measureAll({ json }: { readonly json: boolean }): Promise<void> {
  const rows = [...(await measureFunctions()), ...(await measureService()), ...(await measureRenditions())];
  const lines = rows.map(
    ({ name, ratio, bound, ok }) => `${ok ? 'ok' : 'MISSED'}\t${ratio.toFixed(3)}, at most ${bound}\t${name}`,
  );
  printResult({ json: { rows }, text: lines.join('\n'), hasFailed: rows.some(({ ok }) => !ok) }, json);
}

runProgram(
  createCommand('bench', {
    summary: 'Measure the service as ratios, and compare them with their bounds.',
    program: 'npm run bench --',
    examples: ['', '--json'],
  })
    .option('--json', 'print JSON instead of text', false)
    .action(measureAll),
);
