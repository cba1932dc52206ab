/** What a bundle loads at once with some of its sources, by esbuild's account of it. */

import type { Bundle } from '../../../lib/functions/bundle';

/**
 * Output files that are loaded when sources are imported, with all that they import in turn.
 * @param entryPoints sources relative to the project. @throws `Error` for a source without a file of its own
 */
export function filesLoadedWith(
  { metafile: { outputs } }: Bundle,
  entryPoints: readonly string[],
): readonly string[] {
  const loaded = new Set<string>();
  const load = (path: string): void => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const { kind, path: next, external } of outputs[path]?.imports ?? [])
      if (kind === 'import-statement' && external !== true) load(next);
  };
  for (const entryPoint of entryPoints) {
    const file = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === entryPoint);
    if (file === undefined) throw new Error(`${entryPoint} has no file of its own`);
    load(file);
  }
  return [...loaded];
}
