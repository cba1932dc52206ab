/** Writes the results of one run into docs/performance.md, whose other text is written by hand. */

import { type Composition, compositionText } from './composition';
import { type Row, tableOf } from './row';

/** What was measured on: `linux x64, 2 cores, Node.js v24.21.0`, and when: an ISO date. */
export interface Run {
  readonly machine: string;
  readonly date: string;
}

/** @param page text of the page, with `<!-- NAME -->` and `<!-- /NAME -->` around what is replaced. @throws `Error` without them */
export function recordInto(
  page: string,
  rows: readonly Row[],
  { machine, date }: Run,
  compositions: readonly Composition[],
): string {
  const parts = {
    run: `Written by \`npm run bench -- --record\` on ${date}: ${machine}, loopback only.`,
    results: `\n${tableOf(rows)}\n`,
    composition: `\n${compositionText(compositions)}\n`,
  };
  return Object.entries(parts).reduce((text, [name, part]) => {
    const [before, rest] = text.split(`<!-- ${name} -->`);
    const [, after] = rest?.split(`<!-- /${name} -->`) ?? [];
    if (after === undefined) throw new Error(`docs/performance.md has no part "${name}"`);
    return `${before}<!-- ${name} -->\n${part}\n<!-- /${name} -->${after}`;
  }, page);
}
