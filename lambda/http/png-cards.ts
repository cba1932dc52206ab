/** Reads the error cards in PNG, which are drawn when the functions are bundled; loaded on first need. */

import type { ProblemCode } from '../problems/problem';

declare global {
  /** JSON of a PNG in base64 by code: part of the bundle; the local service sets it. */
  var ERROR_CARDS: string;
}

/** Reads the card of a code, in base64. */
export function pngCard(code: ProblemCode): string {
  return (JSON.parse(globalThis.ERROR_CARDS) as Readonly<Record<ProblemCode, string>>)[code];
}
