/** What the first half of a function consists of, by package and folder, read from the bundler's metafile. */

import type { Bundle } from '../../lib/functions/bundle';

export interface Composition {
  readonly functionName: string;
  readonly bytes: number;
  /** Bytes by package, or by folder of this project, the largest first. */
  readonly parts: readonly (readonly [string, number])[];
}

/** @param entryPoint source whose static imports count, relative to the project */
export function compositionOf(
  functionName: string,
  { metafile: { outputs } }: Bundle,
  entryPoint: string,
): Composition {
  const loaded = new Set<string>();
  const load = (path: string): void => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const { kind, path: next, external } of outputs[path]?.imports ?? [])
      if (kind === 'import-statement' && external !== true) load(next);
  };
  const main = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === entryPoint);
  if (main === undefined) throw new Error(`${entryPoint} has no file of its own`);
  load(main);
  const parts = new Map<string, number>();
  let bytes = 0;
  for (const path of loaded) {
    bytes += outputs[path]?.bytes ?? 0;
    for (const [input, { bytesInOutput }] of Object.entries(outputs[path]?.inputs ?? {})) {
      const part = partOf(input);
      parts.set(part, (parts.get(part) ?? 0) + bytesInOutput);
    }
  }
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
