/** The measurement on recorded answers: what is recorded, what is asked for again, and what is printed. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureRecorded, queriesOf, type Recorder, recordedReport } from '../../../tools/relevance/recorded';
import { listenOnLoopback } from '../../fakes/loopback';

let folder: string;
let served: string[];
let provider: Awaited<ReturnType<typeof listenOnLoopback>>;
let recorder: Recorder;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'relevance-'));
  served = [];
  provider = await listenOnLoopback((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://provider.example');
    served.push(pathname);
    const found = [photo(1, 'Lake'), photo(2, 'Lake in a park')];
    const isLake = searchParams.get('q') === 'lake';
    const answer = pathname === '/v1/images/' ? { results: isLake ? found : [] } : { batchcomplete: true };
    response.end(JSON.stringify(answer));
  });
  recorder = {
    nowMs: () => 0,
    sleep: () => Promise.resolve(),
    contact: 'a@b.example',
    endpoints: { openverse: provider.address, wikimedia: provider.address },
  };
  writeFileSync(join(folder, 'queries.tsv'), 'noun\tlake\nnoun\tzorblax\n');
  writeFileSync(join(folder, 'judgements.tsv'), `lake\t${idOf(1)}\t3\nzorblax\t${idOf(2)}\t2\n`);
});
afterEach(async () => {
  await provider.stop();
  rmSync(folder, { recursive: true });
});

const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const photo = (n: number, title: string) => ({
  id: idOf(n),
  title,
  url: `https://photos.example/${n}.jpg`,
  license: 'cc0',
  license_version: '1.0',
});

it('records answers, empty ones too, and asks no provider again', async () => {
  const first = await measureRecorded(folder, recorder);
  expect(first.picks).toEqual([
    { kind: 'noun', query: 'lake', image: idOf(1), fit: 'exact', grade: 3 },
    { kind: 'noun', query: 'zorblax', grade: 0 },
  ]);
  const { length } = served;
  expect(length).toBe(3);
  expect((await measureRecorded(folder, recorder)).picks).toEqual(first.picks);
  expect((await measureRecorded(folder)).picks).toEqual(first.picks);
  expect(served).toHaveLength(length);
});

it('names queries whose answers are not recorded, and records them the next time', async () => {
  expect((await measureRecorded(folder)).missing).toEqual(['lake', 'zorblax']);
  expect((await measureRecorded(folder, recorder)).missing).toEqual([]);
});

it('prints first how often each fit is right, then the queries without an image, and what has become worse', async () => {
  const run = await measureRecorded(folder, recorder);
  const text = recordedReport(run, [{ kind: 'noun', query: 'zorblax', grade: 2 }]);
  expect(text.split('\n')[1]).toMatch(/^ {2}exact +right in 1\.00 of 1$/);
  expect(text).toContain('No image: 1 of 2 queries. Requests: 1.50 a query.');
  expect(text).toContain('P@1: 0.50 of 2 answerable queries, 1.00 of those with an image.');
  expect(text).toContain('better 0, worse 1\n  worse: zorblax');
});

it('has 300 queries of nine kinds of its own, each once', () => {
  rmSync(join(folder, 'queries.tsv'));
  const queries = queriesOf(folder);
  expect(new Set(queries.map(([, query]) => query)).size).toBe(300);
  expect(new Set(queries.map(([kind]) => kind)).size).toBe(9);
});
