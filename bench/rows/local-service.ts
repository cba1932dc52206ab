/** The throughput of the local service, compared with a bare server. */

import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../../lib/functions/bundle';
import { endProcess, messageOf, startProcess } from '../processes/run-process';
import { type Row, rowOf } from '../row';
import { type Load, send } from './load';

const rounds = 5;
const budgetMs = 20_000;
/** Each round stays below what the gateway lets pass in a burst, with all rounds together. */
const perRound = { service: 600, bare: 6_000 } as const;
const connections = 16;

interface Started {
  readonly url: string;
  readonly keys?: { readonly enterprise: { readonly live: string } };
}

export async function measureLocalService(): Promise<readonly Row[]> {
  const reporting = ['--import', pathToFileURL(join(projectRoot, 'bench/processes/report-cpu.mjs')).href];
  const service = startProcess({
    file: join(projectRoot, 'bin/image-redirect.ts'),
    args: ['start', '--memory', '--port', '0', '--json'],
    execArgv: ['--import', 'tsx', ...reporting],
  });
  const bare = startProcess({ file: 'bare-server.mjs', execArgv: reporting });
  try {
    const [{ url, keys }, { url: bareUrl }] = await Promise.all([firstLine(service), firstLine(bare)]);
    const path = '/api/image/800x600-mountain-lake';
    const asked = { headers: { 'X-API-Key': keys?.enterprise.live ?? '' }, path, status: 302, connections };
    const ofService = { ...asked, url, count: perRound.service };
    const ofBare = { ...asked, url: bareUrl, count: perRound.bare };
    // The first responses find the image and warm both processes.
    await send({ ...ofService, connections: 1, count: 1 });
    await Promise.all([send(ofService), send(ofBare)]);
    const endsMs = performance.now() + budgetMs;
    const [measured, least]: Throughput[][] = [[], []];
    for (let round = 0; round < rounds && (round === 0 || performance.now() < endsMs); round++) {
      measured?.push(await throughput(service, ofService));
      least?.push(await throughput(bare, ofBare));
    }
    const row = (name: string, unit: Row['unit'], of: (each: Throughput) => number): Row =>
      rowOf({
        group: 'local',
        name,
        baseline: 'a bare server',
        unit,
        measured: (measured ?? []).map(of),
        least: (least ?? []).map(of),
      });
    return [
      row('Local service, known stock images', 'per CPU s', ({ perCpuS }) => perCpuS),
      row('Local service, known stock images', 'per s', ({ perS }) => perS),
    ];
  } finally {
    await Promise.all([endProcess(service), endProcess(bare)]);
  }
}

interface Throughput {
  readonly perCpuS: number;
  readonly perS: number;
}

async function throughput(server: ChildProcess, load: Load): Promise<Throughput> {
  const before = await cpuMs(server);
  const startedMs = performance.now();
  await send(load);
  const tookMs = performance.now() - startedMs;
  const usedMs = (await cpuMs(server)) - before;
  return { perCpuS: (load.count / usedMs) * 1_000, perS: (load.count / tookMs) * 1_000 };
}

async function cpuMs(server: ChildProcess): Promise<number> {
  server.send('cpu');
  return (await messageOf<{ readonly cpuMs: number }>(server)).cpuMs;
}

/** The ready message of a server. */
async function firstLine(server: ChildProcess): Promise<Started> {
  let text = '';
  for await (const part of server.stdout?.setEncoding('utf8') ?? []) {
    text += part;
    if (text.includes('\n')) break;
  }
  return JSON.parse(text) as Started;
}
