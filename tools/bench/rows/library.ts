/** Searches among 20,000 photographs of the operator's own, compared with the time that they may take. */

import { mainOf } from '../builds';
import { alternate, messageOf, startProcess } from '../processes';
import { type Row, rowOf } from '../row';

const starts = 5;
/** Longest that a search may take, in milliseconds: with a known index, and with one that is read first. */
const limitsMs = { loaded: 30, read: 300 } as const;

/** Rows of the group `library`, in CPU time. */
export async function measureLibrary(): Promise<readonly Row[]> {
  const file = mainOf('tools/bench/programs/library.ts');
  const search = { file, name: 'searchKnown' };
  const turns = { warmUp: 20, rounds: 40, perRound: 1, budgetMs: 10_000 };
  const { samples } = await alternate({ measured: search, least: search, ...turns });
  const row = (name: string, limitMs: number, measured: readonly number[]) =>
    rowOf({
      group: 'library',
      name: `Searching 20,000 photographs, ${name}`,
      baseline: `the limit of ${limitMs} ms`,
      unit: 'CPU ms',
      measured,
      least: measured.map(() => limitMs),
      ratioMax: 1,
    });
  const firstMs: number[] = [];
  for (let start = 0; start < starts; start++) {
    const child = startProcess({ file: 'cold.mjs', args: [file, 'null'] });
    const { loadMs, totalMs } = await messageOf<{ loadMs: number; totalMs: number }>(child);
    firstMs.push(totalMs - loadMs);
  }
  return [
    row(
      'index known',
      limitsMs.loaded,
      samples.measured.map((us) => us / 1_000),
    ),
    row('index read first', limitsMs.read, firstMs),
  ];
}
