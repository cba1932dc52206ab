/** Picks the candidates of an orientation out of an answer that could not be asked for it. */

import { type Candidate, type Orientation, orientationOf } from '../../../images/image';
import type { Size } from '../../../requests/rendition';

/** Those that have the orientation; when none has it, all, as another orientation still beats no image. */
export function preferOrientation<T extends Candidate & Size>(
  candidates: readonly T[],
  orientation: Orientation,
): readonly T[] {
  const fitting = candidates.filter((candidate) => orientationOf(candidate) === orientation);
  return fitting.length > 0 ? fitting : candidates;
}
