/**
 * `npm run bench`: it fails when the code becomes slow. It compares two sides on one machine, because times differ
 * between machines: a function with a program that makes the same calls, and the local service with a bare server.
 */

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { bundleFunction, findFunctionEntry, projectRoot } from '../../lib/functions/bundle';
import { measureLocalService } from './local-service';
import { startLoopback } from './loopback';
import { comparePairs, type Row } from './pairs';

type Times = readonly [warmUps: number, calls: number];

/** Measures functions. Cold: new process, TLS connection, first response. Warm: a known image, one write. */
async function measureFunctions(): Promise<readonly Row[]> {
  const { environment, stop } = await startLoopback();
  const env = { PATH: process.env['PATH'], ...environment };
  /** Bundles an entry as a deployment does. The returned function measures the CPU of a call in ms. */
  const createSideTimer = (name: string, entry: string, times: Times) => {
    const { folder } = bundleFunction(entry, `.build/bench/${entry.replaceAll('/', '-')}`);
    const event = readFileSync(join(projectRoot, 'events', `${name}-live.json`), 'utf8');
    // The free plan has no analytics, which would be a second write.
    const input = event.replace(/"plan": "\w+"/, '"plan": "free"');
    const args = [join(__dirname, 'child.mjs'), join(folder, 'main.mjs'), input, ...times.map(String)];
    return async () => {
      const { stdout } = await promisify(execFile)(process.execPath, args, { env, maxBuffer: Infinity });
      return Number(stdout.trimEnd().split('\n').at(-1));
    };
  };
  const compare = (row: string, name: string, limits: { bound: number; count: number }, times: Times) =>
    comparePairs(`${row}: ${name}`, limits, [
      createSideTimer(name, findFunctionEntry(name), times),
      createSideTimer(name, `tools/bench/programs/sdk-${name}.ts`, times),
    ]);
  try {
    return [
      await compare('cold', 'api', { bound: 1.5, count: 15 }, [0, 1]),
      await compare('cold', 'authorizer', { bound: 1.2, count: 15 }, [0, 1]),
      // V8 has optimised a function after some thousands of calls.
      await compare('warm', 'api', { bound: 1.5, count: 5 }, [4_000, 2_000]),
    ];
  } finally {
    stop();
  }
}

/** Prints each row when it is measured, with `--json` all rows at the end. */
async function measureAll(): Promise<void> {
  const { json } = parseArgs({ options: { json: { type: 'boolean' } } }).values;
  const rows: Row[] = [];
  for (const measure of [measureFunctions, measureLocalService])
    for (const row of await measure()) {
      rows.push(row);
      const { name, ratio, bound, ok } = row;
      if (!json) console.log(`${ok ? 'ok' : 'MISSED'}\t${ratio.toFixed(3)}, at most ${bound}\t${name}`);
    }
  if (json) console.log(JSON.stringify({ rows }));
  if (!rows.every(({ ok }) => ok)) process.exitCode = 1;
}

void measureAll();
