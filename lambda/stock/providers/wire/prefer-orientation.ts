/** Picks the candidates of an orientation out of the answer to a search that could not name it. */

import { type Candidate, type Orientation, orientationOf } from '../../../images/image';

/** Those that have the orientation; when none has it, all, as another orientation still beats no image. */
export function preferOrientation(
  candidates: readonly Candidate[],
  orientation: Orientation,
): readonly Candidate[] {
  const fitting = candidates.filter(
    ({ widthPx = 1, heightPx = 1 }) => orientationOf({ widthPx, heightPx }) === orientation,
  );
  return fitting.length > 0 ? fitting : candidates;
}
