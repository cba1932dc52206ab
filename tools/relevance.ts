/**
 * Measures how well images fit. It requests the queries of a folder from a service, and grades the images. The folder
 * is not in the repository, because titles and tags belong to their authors. It has `queries.tsv` (kind, query) and
 * `judgements*.tsv` (query, number of an image, grade from 0 to 3). The creator of image 1 is `maker-0001`.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const fittingGrade = 2;

interface GradedImage {
  readonly kind: string;
  readonly query: string;
  /** `exact`, `partial` or `loose`; `no image` if nothing was found. */
  readonly fit: string;
  /** 0 for no image; `undefined` for an image that nobody has judged. */
  readonly grade: number | undefined;
}

type ImageFacts = Readonly<{ fit: string; attribution: { creator: string } }>;

const readTable = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t'));

/** Requests the image for a query. Throws if the response is neither an image nor 404. */
async function requestImage(url: string, key: string, query: string): Promise<ImageFacts | undefined> {
  const parameters = new URLSearchParams({ query, format: 'json', width: '1200', height: '800' });
  const response = await fetch(`${url}/api/image?${parameters}`, { headers: { 'x-api-key': key } });
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`${query}: ${response.status} ${await response.text()}`);
  return response.json() as Promise<ImageFacts>;
}

/** Prints the share of fitting images among those that somebody has judged, for each group of images. */
function printPrecision(images: readonly GradedImage[], nameGroup: (image: GradedImage) => string): void {
  for (const name of new Set(images.map(nameGroup))) {
    const grades = images.flatMap((image) => (nameGroup(image) === name ? (image.grade ?? []) : []));
    const fitting = grades.filter((grade) => grade >= fittingGrade);
    console.log(`${name.padEnd(12)} ${(fitting.length / grades.length).toFixed(2)} of ${grades.length}`);
  }
}

/** Prints the precision of first images: by kind for queries that an image fits, and by fit. */
async function measure(folder: string, url: string, key: string): Promise<void> {
  const files = readdirSync(folder).filter((name) => /^judgements.*\.tsv$/.test(name));
  const judgements = files.toSorted().flatMap((name) => readTable(join(folder, name)));
  // A later file wins.
  const grades = new Map(judgements.map(([query, number, grade]) => [`${query} ${number}`, Number(grade)]));
  const images: GradedImage[] = [];
  for (const [kind = '', query = ''] of readTable(join(folder, 'queries.tsv'))) {
    const image = await requestImage(url, key, query);
    const number = Number(image?.attribution.creator.replace('maker-', ''));
    const grade = image ? grades.get(`${query} ${number}`) : 0;
    images.push({ kind, query, fit: image?.fit ?? 'no image', grade });
    if (grade === undefined) console.log(`Not judged: ${kind}, ${query}`);
  }
  const isFitting = ([query, number]: readonly string[]) =>
    Number(grades.get(`${query} ${number}`)) >= fittingGrade;
  const answerableQueries = new Set(judgements.filter(isFitting).map(([query]) => query));
  const answerable = images.filter(({ query }) => answerableQueries.has(query));
  printPrecision(answerable, () => 'P@1');
  printPrecision(answerable, ({ kind }) => `  ${kind}`);
  printPrecision(images, ({ fit }) => `  ${fit}`);
}

const options = { url: { type: 'string' }, key: { type: 'string' } } as const;
const { positionals, values } = parseArgs({ allowPositionals: true, options });
void measure(positionals[0] ?? '.', values.url ?? 'http://127.0.0.1:3000', values.key ?? '');
