/** The graded queries of the relevance measurement, read from their file. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** How well an image fits: 3 best, 2 good, 1 related, 0 unfit. */
export type Grade = 0 | 1 | 2 | 3;

/** An image as a person has graded it for a query. */
export interface GradedImage {
  readonly grade: Grade;
  readonly title: string;
  readonly tags: readonly string[];
}

/** A query with the images that were graded for it. */
export interface GradedQuery {
  readonly query: string;
  /** object, scene, trade, abstract, two senses or language */
  readonly kind: string;
  readonly language: string;
  readonly images: readonly GradedImage[];
}

/** @throws when a line is malformed, with its number */
export function readGradedQueries(): readonly GradedQuery[] {
  const lines = readFileSync(join(__dirname, 'graded-queries.txt'), 'utf8').split('\n');
  const queries: (GradedQuery & { images: GradedImage[] })[] = [];
  for (const [index, line] of lines.entries()) {
    if (line === '' || line.startsWith('#')) continue;
    const head = /^(.+?) ; (.+?) ; (\w+)$/.exec(line);
    const image = /^([0-3]) (.+?) \| (.*)$/.exec(line);
    if (image) {
      const [, grade, title = '', tags = ''] = image;
      queries.at(-1)?.images.push({ grade: Number(grade) as Grade, title, tags: tags.split(', ') });
    } else if (head) {
      const [, query = '', kind = '', language = ''] = head;
      queries.push({ query, kind, language, images: [] });
    } else throw new Error(`graded-queries.txt, line ${index + 1}: ${line}`);
  }
  return queries;
}
