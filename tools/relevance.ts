/**
 * The measure of how well images fit. It requests the queries of a folder from a service, and grades the images.
 * The folder is not in the repository, because titles and tags belong to their authors. It has `queries.tsv`
 * (kind, query), `judgements*.tsv` (query, number of a record, grade from 0 to 3) and `records.ndjson` (`n`, and
 * the name of the image in an answer: `id`, `maker-0001`).
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCommand, runProgram } from '../cli/command';
import { printResult } from '../cli/output';

const fittingGrade = 2;

interface ShownImage {
  readonly kind: string;
  readonly query: string;
  /** `exact`, `partial` or `loose`; absent if nothing was found. */
  readonly fit?: string;
  /** 0 for no image; absent for one that nobody has judged. */
  readonly grade?: number;
}

const readRows = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t'));

/** Reads the grades by query and number of the record, with a blank between. A later file wins. */
function readGrades(folder: string): ReadonlyMap<string, number> {
  const files = readdirSync(folder).filter((name) => /^judgements.*\.tsv$/.test(name));
  const judgements = files.toSorted().flatMap((name) => readRows(join(folder, name)));
  return new Map(judgements.map(([query, record, grade]) => [`${query} ${record}`, Number(grade)]));
}

/** A record of the folder: its number, and its id in an answer. */
type PhotoRecord = { readonly n: number; readonly id: string };

/** Finds the record that an answer shows, by its maker or its id. Returns its number. */
function findRecord(records: readonly PhotoRecord[], answer: string): number | undefined {
  const maker = /maker-(\d+)/.exec(answer)?.[1];
  return maker === undefined ? records.find(({ id }) => answer.includes(id))?.n : Number(maker);
}

/** Requests all queries in turn. Throws if a response is neither an image nor 404. */
async function requestQueries(folder: string, url: string, key: string): Promise<readonly ShownImage[]> {
  const grades = readGrades(folder);
  const records = readRows(join(folder, 'records.ndjson')).map(([line = '']) => JSON.parse(line));
  const images: ShownImage[] = [];
  for (const [kind = '', query = ''] of readRows(join(folder, 'queries.tsv'))) {
    const parameters = new URLSearchParams({ query, format: 'json', width: '1200', height: '800' });
    const response = await fetch(`${url}/api/image?${parameters}`, { headers: { 'x-api-key': key } });
    const body = await response.text();
    if (response.status === 404) images.push({ kind, query, grade: 0 });
    else if (!response.ok) throw new Error(`${query}: ${response.status} ${body}`);
    else {
      const grade = grades.get(`${query} ${findRecord(records, body)}`);
      images.push({ kind, query, fit: JSON.parse(body).fit, ...(grade !== undefined && { grade }) });
    }
  }
  return images;
}

function writePrecision(images: readonly ShownImage[]): string {
  const grades = images.flatMap(({ grade }) => grade ?? []);
  const right = grades.filter((grade) => grade >= fittingGrade).length;
  return grades.length === 0 ? 'none judged' : `${(right / grades.length).toFixed(2)} of ${grades.length}`;
}

/** Writes the precision of first images by kind and by fit, for queries with a fitting record. */
function writeReport(images: readonly ShownImage[], folder: string): string {
  const right = [...readGrades(folder)].filter(([, grade]) => grade >= fittingGrade);
  const answered = new Set(right.map(([judged]) => judged.replace(/ \d+$/, '')));
  const answerable = images.filter(({ query }) => answered.has(query));
  const groups = (field: 'kind' | 'fit', images: readonly ShownImage[]) =>
    [...new Set(images.map((image) => image[field]))].map((name) => {
      const group = images.filter((image) => image[field] === name);
      return `  ${(name ?? 'no image').padEnd(10)} ${writePrecision(group)}`;
    });
  const unjudged = images.filter(({ grade }) => grade === undefined);
  return [
    `P@1 ${writePrecision(answerable)} answerable queries`,
    ...groups('kind', answerable),
    'By fit',
    ...groups('fit', images),
    ...unjudged.map(({ kind, query }) => `Not judged: ${kind}, ${query}`),
  ].join('\n');
}

runProgram(
  createCommand('relevance', {
    summary: 'Measure how well the images of a service fit, by graded queries of a folder.',
    program: 'npx tsx tools/relevance.ts',
    examples: ['FOLDER --key pk_live_…', 'FOLDER --url https://… --key pk_live_… --json'],
  })
    .argument('<FOLDER>', 'queries, judgements and records')
    .option('--url <URL>', 'the service', 'http://127.0.0.1:3000')
    .option('--key <KEY>', 'API key whose plan covers the queries', '')
    .option('--json', 'print what was shown for each query', false)
    .action(async (folder: string, { url, key, json }: { url: string; key: string; json: boolean }) => {
      const images = await requestQueries(folder, url, key);
      printResult({ json: images, text: writeReport(images, folder) }, json);
    }),
);
