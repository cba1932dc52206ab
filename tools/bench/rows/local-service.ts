/** The throughput of the local service, compared with a bare server. */

import type { ChildProcess } from 'node:child_process';
import { connect } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../../../lib/functions/bundle';
import { messageOf, startProcess } from '../processes';
import { percentile, type Row, rowOf } from '../row';

const rounds = 4;
const budgetMs = 10_000;
const connections = 50;
const bareRequests = 6_000;

/**
 * The plan with the larger month comes first: it also warms the process for the other. Requests before the first round
 * and in each; those of the free plan together stay within its month. The targets are three times the throughput and a
 * quarter of the time that were measured first.
 */
const plans = {
  business: { warmUp: 1_500, perRound: 500, perCpuSMin: 3 * 0.0052, p99Max: 257 / 4 },
  free: { warmUp: 100, perRound: 200, perCpuSMin: 3 * 0.00776, p99Max: 76.6 / 4 },
} as const;
type Plan = keyof typeof plans;

interface Started {
  readonly url: string;
  readonly keys?: Readonly<Record<Plan, { readonly live: string }>>;
}

interface Server {
  readonly process: ChildProcess;
  readonly load: Load;
}

/** Rows of the group `local`: the plans of a large and of a small month. */
export async function measureLocalService(): Promise<readonly Row[]> {
  const reporter = join(projectRoot, 'tools/bench/processes/report-cpu.mjs');
  const reporting = ['--import', pathToFileURL(reporter).href];
  const service = startProcess({
    file: join(projectRoot, 'bin/image-redirect.ts'),
    args: ['start', '--memory', '--port', '0', '--json'],
    execArgv: ['--import', 'tsx', ...reporting],
  });
  const bare = startProcess({ file: 'bare-server.mjs', execArgv: reporting });
  const [{ url, keys }, { url: bareUrl }] = await Promise.all([firstLine(service), firstLine(bare)]);
  const rows: Row[] = [];
  for (const plan of Object.keys(plans) as Plan[]) {
    const headers = { 'X-API-Key': keys?.[plan].live ?? '' };
    const loadOf = (root: string, count: number): Load => ({
      url: `${root}/api/image/800x600-mountain-lake`,
      headers,
      connections,
      count,
    });
    rows.push(
      ...(await measurePlan(
        plan,
        { process: service, load: loadOf(url, plans[plan].perRound) },
        { process: bare, load: loadOf(bareUrl, bareRequests) },
      )),
    );
  }
  return rows;
}

async function measurePlan(plan: Plan, service: Server, bare: Server): Promise<readonly Row[]> {
  const { warmUp, perCpuSMin, p99Max } = plans[plan];
  // The first responses find the image and warm both processes.
  await send({ ...service.load, connections: 1, count: 1 });
  await Promise.all([send({ ...service.load, count: warmUp }), send(bare.load)]);
  const endsMs = performance.now() + budgetMs;
  const pairs: (readonly [Throughput, Throughput])[] = [];
  while (pairs.length === 0 || (pairs.length < rounds && performance.now() < endsMs))
    pairs.push([await throughput(service), await throughput(bare)]);
  const row = (
    unit: Row['unit'],
    what: string,
    of: keyof Throughput,
    target: Pick<Row, 'ratioMax' | 'ratioMin'>,
  ): Row =>
    rowOf({
      ...target,
      group: 'local',
      name: `Local service, ${plan} key, ${connections} callers${what}`,
      baseline: 'a bare server',
      unit,
      measured: pairs.map(([measured]) => measured[of]),
      least: pairs.map(([, least]) => least[of]),
    });
  return [
    row('per CPU s', '', 'perCpuS', { ratioMin: perCpuSMin }),
    row('ms', ', 99 % within', 'p99Ms', { ratioMax: p99Max }),
  ];
}

interface Throughput {
  readonly perCpuS: number;
  readonly p99Ms: number;
}

async function throughput({ process, load }: Server): Promise<Throughput> {
  const cpuMs = () => {
    process.send('cpu');
    return messageOf<number>(process);
  };
  const beforeMs = await cpuMs();
  const tookMs = await send(load);
  const usedMs = (await cpuMs()) - beforeMs;
  return {
    perCpuS: (load.count / usedMs) * 1_000,
    p99Ms: percentile(tookMs, 0.99),
  };
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

/** A bounded number of GET requests over a few kept connections. */
interface Load {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  /** Requests altogether. */
  readonly count: number;
}

/**
 * Returns each response's time in milliseconds. Plain sockets, so that the generator itself takes little of the machine.
 * @throws when a response is no 302
 */
async function send({ url, headers, connections, count }: Load): Promise<readonly number[]> {
  const { host, hostname, port, pathname } = new URL(url);
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = `GET ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`;
  let left = count;
  const tookMs: number[] = [];
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), hostname).setEncoding('latin1');
      let text = '';
      let sentMs = 0;
      const next = () => {
        if (left === 0) {
          resolve();
          return socket.destroy();
        }
        left -= 1;
        sentMs = performance.now();
        return socket.write(request);
      };
      socket.on('connect', next).on('error', reject);
      socket.on('close', () => reject(new Error('A connection was closed')));
      socket.on('data', (part: string) => {
        text += part;
        const headEnd = text.indexOf('\r\n\r\n');
        if (headEnd < 0) return;
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, headEnd))?.[1] ?? 0);
        if (text.length < headEnd + 4 + length) return;
        if (!text.startsWith('HTTP/1.1 302 ')) reject(new Error(`Expected a redirect: ${text}`));
        text = '';
        tookMs.push(performance.now() - sentMs);
        next();
      });
    });
  await Promise.all(Array.from({ length: connections }, one));
  return tookMs;
}
