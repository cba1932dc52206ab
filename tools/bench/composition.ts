/** What a bundle loads at once, and of which packages and folders it consists: read from the bundler's metafile. */

import type { Bundle } from '../../lib/functions/bundle';

export interface Composition {
  readonly functionName: string;
  readonly bytes: number;
  /** Bytes by package, or by folder of this project, the largest first. */
  readonly parts: readonly (readonly [string, number])[];
}

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

/** Bytes of these files. */
export const bytesLoadedWith = (bundle: Bundle, entryPoints: readonly string[]): number =>
  filesLoadedWith(bundle, entryPoints).reduce(
    (sum, path) => sum + (bundle.metafile.outputs[path]?.bytes ?? 0),
    0,
  );

/** @param entryPoint source whose static imports count, relative to the project */
export function compositionOf(functionName: string, bundle: Bundle, entryPoint: string): Composition {
  const parts = new Map<string, number>();
  for (const path of filesLoadedWith(bundle, [entryPoint]))
    for (const [input, { bytesInOutput }] of Object.entries(bundle.metafile.outputs[path]?.inputs ?? {}))
      parts.set(partOf(input), (parts.get(partOf(input)) ?? 0) + bytesInOutput);
  const bytes = bytesLoadedWith(bundle, [entryPoint]);
  return { functionName, bytes, parts: [...parts].sort(([, one], [, other]) => other - one) };
}

/** `@smithy/core` of a package's file, `lambda/stock` of one of the project's. */
function partOf(input: string): string {
  const [, name] = /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input) ?? [];
  return name ?? input.split('/').slice(0, 2).join('/');
}

/** A Markdown list, in KB; parts below a tenth of a KB are left out. */
export function compositionText(compositions: readonly Composition[]): string {
  const kilobytes = (bytes: number) => (bytes / 1_024).toFixed(1);
  return compositions
    .map(({ functionName, bytes, parts }) => {
      const named = parts
        .filter(([, size]) => size >= 100)
        .map(([part, size]) => `${part} ${kilobytes(size)}`);
      return `- **${functionName}**, ${kilobytes(bytes)} KB: ${named.join(', ')}`;
    })
    .join('\n');
}
