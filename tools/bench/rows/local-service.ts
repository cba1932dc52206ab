/** The throughput of the local service, compared with a bare server. */

import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../../../lib/functions/bundle';
import { endProcess, messageOf, startProcess } from '../processes/run-process';
import { type Row, rowOf } from '../row';
import { percentile } from '../statistics';
import { type Load, send } from './load';

const rounds = 4;
const budgetMs = 10_000;
const connections = 50;
/** The plan with the larger month comes first: it also warms the process for the other. */
const plans = ['business', 'free'] as const;
type Plan = (typeof plans)[number];
/** Requests before the first round, and in each; those of the free plan together stay within its month. */
const warmUp: Readonly<Record<Plan, number>> = { business: 1_500, free: 100 };
const perRound: Readonly<Record<Plan | 'bare', number>> = { business: 500, free: 200, bare: 6_000 };

/**
 * The ratios of 2026-11-22, when each call to the tables went over a connection: requests per CPU second, and the time
 * that 99 % stayed within. Three times the throughput and a quarter of the time are the targets.
 */
const before: Readonly<Record<Plan, { readonly perCpuS: number; readonly p99: number }>> = {
  free: { perCpuS: 0.00776, p99: 76.6 },
  business: { perCpuS: 0.0052, p99: 257 },
};

interface Started {
  readonly url: string;
  readonly keys?: Readonly<Record<Plan, { readonly live: string }>>;
}

export async function measureLocalService(): Promise<readonly Row[]> {
  const reporting = [
    '--import',
    pathToFileURL(join(projectRoot, 'tools/bench/processes/report-cpu.mjs')).href,
  ];
  const service = startProcess({
    file: join(projectRoot, 'bin/image-redirect.ts'),
    args: ['start', '--memory', '--port', '0', '--json'],
    execArgv: ['--import', 'tsx', ...reporting],
  });
  const bare = startProcess({ file: 'bare-server.mjs', execArgv: reporting });
  try {
    const [{ url, keys }, { url: bareUrl }] = await Promise.all([firstLine(service), firstLine(bare)]);
    const rows: Row[] = [];
    for (const plan of plans) {
      const headers = { 'X-API-Key': keys?.[plan].live ?? '' };
      const asked = { headers, path: '/api/image/800x600-mountain-lake', status: 302, connections };
      const ofService = { ...asked, url, count: perRound[plan] };
      const ofBare = { ...asked, url: bareUrl, count: perRound.bare };
      rows.push(
        ...(await measurePlan(plan, { process: service, load: ofService }, { process: bare, load: ofBare })),
      );
    }
    return rows;
  } finally {
    await Promise.all([endProcess(service), endProcess(bare)]);
  }
}

interface Server {
  readonly process: ChildProcess;
  readonly load: Load;
}

async function measurePlan(plan: Plan, service: Server, bare: Server): Promise<readonly Row[]> {
  // The first responses find the image and warm both processes.
  await send({ ...service.load, connections: 1, count: 1 });
  await Promise.all([send({ ...service.load, count: warmUp[plan] }), send(bare.load)]);
  const endsMs = performance.now() + budgetMs;
  const measured: Throughput[] = [];
  const least: Throughput[] = [];
  for (let round = 0; round < rounds && (round === 0 || performance.now() < endsMs); round++) {
    measured.push(await throughput(service));
    least.push(await throughput(bare));
  }
  const row = (
    unit: Row['unit'],
    what: string,
    of: (each: Throughput) => number,
    target: Pick<Row, 'ratioMax' | 'ratioMin'> = {},
  ): Row =>
    rowOf({
      ...target,
      group: 'local',
      name: `Local service, ${plan} key, ${connections} callers${what}`,
      baseline: 'a bare server',
      unit,
      measured: measured.map(of),
      least: least.map(of),
      doesMore: true,
    });
  return [
    row('per CPU s', '', ({ perCpuS }) => perCpuS, { ratioMin: 3 * before[plan].perCpuS }),
    row('per s', '', ({ perS }) => perS),
    row('ms', ', 99 % within', ({ p99Ms }) => p99Ms, { ratioMax: before[plan].p99 / 4 }),
  ];
}

interface Throughput {
  readonly perCpuS: number;
  readonly perS: number;
  readonly p99Ms: number;
}

async function throughput({ process, load }: Server): Promise<Throughput> {
  const before = await cpuMs(process);
  const startedMs = performance.now();
  const tookMs = await send(load);
  const wholeMs = performance.now() - startedMs;
  const usedMs = (await cpuMs(process)) - before;
  return {
    perCpuS: (load.count / usedMs) * 1_000,
    perS: (load.count / wholeMs) * 1_000,
    p99Ms: percentile(tookMs, 0.99),
  };
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
