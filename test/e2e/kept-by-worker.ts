/**
 * What all test files of a jest worker share. Jest gives each file globals and modules of its own; the modules of Node.js
 * are the only ones that a worker keeps.
 */

import childProcess from 'node:child_process';

const kept = Symbol.for('image-redirect.kept-by-worker');
const worker = childProcess as { [kept]?: Map<string, unknown> };

/** What `make` gave to the first test file of this worker that asked for the name. */
export function keptByWorker<T>(name: string, make: () => T): T {
  worker[kept] ??= new Map();
  const known = worker[kept];
  if (!known.has(name)) known.set(name, make());
  return known.get(name) as T;
}
