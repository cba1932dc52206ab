/** Reads the error cards in PNG, which are drawn when the functions are bundled; loaded on first need. */

import type { ProblemCode } from '../problems/problem';

declare global {
  /** JSON of a PNG in base64 by code: part of the bundle; the local service draws them on first need. */
  var ERROR_CARDS: string | Promise<string>;
}

/** Reads the card of a code, in base64. */
export async function pngCard(code: ProblemCode): Promise<string> {
  return (JSON.parse(await globalThis.ERROR_CARDS) as Readonly<Record<ProblemCode, string>>)[code];
}
