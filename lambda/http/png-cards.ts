/** The error cards in PNG, drawn when the functions are bundled. They are loaded on first need. */

import type { ProblemCode } from '../problems/problem';

declare global {
  /** JSON that has a PNG in base64 for each code. The bundle contains it; the local service sets it. */
  var ERROR_CARDS: string;
}

/** Reads the card of a code, in base64. */
export function readPngCard(code: ProblemCode): string {
  return (JSON.parse(globalThis.ERROR_CARDS) as Readonly<Record<ProblemCode, string>>)[code];
}
