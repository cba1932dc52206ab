/**
 * Measures how well images fit. It requests the queries of a folder from a service, and grades the images. The folder
 * is not in the repository, because titles and tags belong to their authors. It has `queries.tsv` (kind, query),
 * `judgements*.tsv` (query, number of a record, grade from 0 to 3) and `records.ndjson` (`n`, and the name of the
 * image in an answer: `id`, `maker-0001`).
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const fittingGrade = 2;

interface ShownImage {
  readonly kind: string;
  readonly query: string;
  /** `exact`, `partial` or `loose`; `no image` if nothing was found. */
  readonly fit: string;
  /** 0 for no image; `undefined` for an image that nobody has judged. */
  readonly grade: number | undefined;
}

const readRows = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t'));

/** Requests a query. Throws if the response is neither an image nor 404. */
async function requestQuery(url: string, key: string, query: string): Promise<string | undefined> {
  const parameters = new URLSearchParams({ query, format: 'json', width: '1200', height: '800' });
  const response = await fetch(`${url}/api/image?${parameters}`, { headers: { 'x-api-key': key } });
  const body = await response.text();
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`${query}: ${response.status} ${body}`);
  return body;
}

/** Prints the share of fitting images among those that somebody has judged, for each group of images. */
function printPrecision(images: readonly ShownImage[], nameGroup: (image: ShownImage) => string): void {
  for (const name of new Set(images.map(nameGroup))) {
    const grades = images.flatMap((image) => (nameGroup(image) === name ? (image.grade ?? []) : []));
    const right = grades.filter((grade) => grade >= fittingGrade).length;
    console.log(`${name.padEnd(12)} ${(right / grades.length).toFixed(2)} of ${grades.length}`);
  }
}

/** Prints the precision of first images: by kind for queries with a fitting record, and by fit. */
async function measure(folder: string, url: string, key: string): Promise<void> {
  const files = readdirSync(folder).filter((name) => /^judgements.*\.tsv$/.test(name));
  const judgements = files.toSorted().flatMap((name) => readRows(join(folder, name)));
  // A later file wins.
  const grades = new Map(judgements.map(([query, record, grade]) => [`${query} ${record}`, Number(grade)]));
  const lines = readRows(join(folder, 'records.ndjson'));
  const records: readonly { n: number; id: string }[] = lines.map(([line = '']) => JSON.parse(line));
  const images: ShownImage[] = [];
  for (const [kind = '', query = ''] of readRows(join(folder, 'queries.tsv'))) {
    const body = await requestQuery(url, key, query);
    const maker = /maker-(\d+)/.exec(body ?? '')?.[1];
    const record = maker ? Number(maker) : records.find(({ id }) => body?.includes(id))?.n;
    const grade = body ? grades.get(`${query} ${record}`) : 0;
    images.push({ kind, query, fit: body ? JSON.parse(body).fit : 'no image', grade });
    if (grade === undefined) console.log(`Not judged: ${kind}, ${query}`);
  }
  const answerable = images.filter(({ query }) =>
    records.some(({ n }) => (grades.get(`${query} ${n}`) ?? 0) >= fittingGrade),
  );
  printPrecision(answerable, () => 'P@1');
  printPrecision(answerable, ({ kind }) => `  ${kind}`);
  printPrecision(images, ({ fit }) => `  ${fit}`);
}

const options = { url: { type: 'string' }, key: { type: 'string' } } as const;
const { positionals, values } = parseArgs({ allowPositionals: true, options });
void measure(positionals[0] ?? '.', values.url ?? 'http://127.0.0.1:3000', values.key ?? '');
