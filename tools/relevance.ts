/**
 * The measure of how well images fit. It requests the queries of a folder from a service, and grades the images.
 * The folder is not in the repository, because titles and tags belong to their authors. It has `queries.tsv`
 * (kind, query), `judgements*.tsv` (query, number of a record, grade from 0 to 3) and `records.ndjson` (`n`, and
 * the name of the image in an answer: `id`, `maker-0001`).
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const fittingGrade = 2;

interface ShownImage {
  readonly kind: string;
  readonly query: string;
  /** `exact`, `partial` or `loose`; absent if nothing was found. */
  readonly fit?: string;
  /** 0 for no image; `undefined` for one that nobody has judged. */
  readonly grade: number | undefined;
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

/** Requests all queries in turn. Throws if a response is neither an image nor 404. */
async function requestQueries(
  folder: string,
  { url, key, grades }: { url: string; key: string; grades: ReadonlyMap<string, number> },
): Promise<readonly ShownImage[]> {
  const lines = readRows(join(folder, 'records.ndjson'));
  const records: readonly { n: number; id: string }[] = lines.map(([line = '']) => JSON.parse(line));
  const images: ShownImage[] = [];
  for (const [kind = '', query = ''] of readRows(join(folder, 'queries.tsv'))) {
    const parameters = new URLSearchParams({ query, format: 'json', width: '1200', height: '800' });
    const response = await fetch(`${url}/api/image?${parameters}`, { headers: { 'x-api-key': key } });
    const body = await response.text();
    if (response.status === 404) images.push({ kind, query, grade: 0 });
    else if (!response.ok) throw new Error(`${query}: ${response.status} ${body}`);
    else {
      const maker = /maker-(\d+)/.exec(body)?.[1];
      const record = maker ? Number(maker) : records.find(({ id }) => body.includes(id))?.n;
      images.push({ kind, query, fit: JSON.parse(body).fit, grade: grades.get(`${query} ${record}`) });
    }
  }
  return images;
}

function writePrecision(images: readonly ShownImage[]): string {
  const grades = images.flatMap(({ grade }) => grade ?? []);
  const right = grades.filter((grade) => grade >= fittingGrade).length;
  return `${(right / grades.length).toFixed(2)} of ${grades.length}`;
}

/** Prints the precision of first images by kind and by fit, for queries with a fitting record. */
async function measure(folder: string, service: { url: string; key: string }): Promise<void> {
  const grades = readGrades(folder);
  const images = await requestQueries(folder, { ...service, grades });
  const right = [...grades].filter(([, grade]) => grade >= fittingGrade);
  const answered = new Set(right.map(([judged]) => judged.replace(/ \d+$/, '')));
  const answerable = images.filter(({ query }) => answered.has(query));
  const printGroups = (shown: readonly ShownImage[], field: 'kind' | 'fit') => {
    for (const name of new Set(shown.map((image) => image[field]))) {
      const group = shown.filter((image) => image[field] === name);
      console.log(`  ${(name ?? 'no image').padEnd(10)} ${writePrecision(group)}`);
    }
  };
  console.log(`P@1 ${writePrecision(answerable)} answerable queries`);
  printGroups(answerable, 'kind');
  console.log('By fit');
  printGroups(images, 'fit');
  for (const { kind, query, grade } of images)
    if (grade === undefined) console.log(`Not judged: ${kind}, ${query}`);
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:3000' },
    // The API key of a plan that covers the queries.
    key: { type: 'string', default: '' },
  },
});
void measure(positionals[0] ?? '', values);
