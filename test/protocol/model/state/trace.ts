/** Prints the items of a state, so that a counterexample can be compared with the protocol's table. */
import type { World } from './world';

const states = ['IDLE', 'LEASED', 'READY', 'FAILED', 'ABANDONED'];
const entries = ['-', 'P', 'C', 'R', '-', '-', '-'];

/** One line with every generation and quota item. */
export function describeItems(w: World): string {
  const generations = w.generations.map((g) => {
    const flags = `${g.settled ? ' settled' : ''}${g.due ? ' due' : ''}${g.claim ? ` claim=${g.claim}` : ''}`;
    return `G ${states[g.st]} ex=${g.ex} f=${g.f}${flags}`;
  });
  const quotas = w.quotas.map((q) => {
    const operations = q.entries.map((e) => entries[e]).join('');
    return `Q taken=${q.taken} held=${q.held} ops=${operations}${q.wm ? ` wm=${q.wm}` : ''}`;
  });
  return [...generations, ...quotas].join(' | ');
}
