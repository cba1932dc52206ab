/** The transformer of unpic and of its components (`@unpic/react/base` and the like). */

import { environmentBase, isOurs, sourceUrl } from './image-source';

/** What unpic asks of an image; the sizes in pixels. */
export interface Operations {
  readonly width?: number | string;
  readonly height?: number | string;
  /** Not used: the service answers with the format that the browser likes best. */
  readonly format?: string;
  readonly quality?: number | string;
}

/** Where images come from. */
export interface TransformOptions {
  /** Root of the service. */
  readonly base?: string;
}

/** Takes a source like `mountain lake?seed=2`; sizes beyond 4000 pixels are brought within, with their ratio kept. */
export function transform(
  src: string | URL,
  { width, height }: Operations,
  options?: TransformOptions,
): string {
  const source = String(src);
  if (!isOurs(source)) return source;
  return sourceUrl(options?.base ?? environmentBase(), source, {
    width: pixels(width),
    height: pixels(height),
  });
}

/** A transformer that knows its service, for browsers, which have no environment. */
export function createTransformer(options: TransformOptions): typeof transform {
  return (src, operations, more) => transform(src, operations, { ...options, ...more });
}

function pixels(side: number | string | undefined): number | undefined {
  return side === undefined ? undefined : Number.parseInt(String(side), 10) || undefined;
}
