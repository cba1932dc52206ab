/** The problem codes that callers can meet at one place of the API. */

import { type ProblemCode, type ProblemPlace, problemPlaces } from '../../problems/problem';

/** In the order of the table of errors. */
export function codesAt(place: ProblemPlace): readonly ProblemCode[] {
  const codes = Object.keys(problemPlaces) as ProblemCode[];
  return codes.filter((code) => problemPlaces[code].includes(place));
}
