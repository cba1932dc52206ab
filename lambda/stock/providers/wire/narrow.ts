/** Fits a query and an answer to what a provider's search can do. */

import { type Candidate, type Orientation, orientationOf } from '../../../images/image';

/** As many whole words as fit; a first word that is too long by itself is cut. */
export function withinCharacters(words: string, charactersMax: number): string {
  const characters = [...words];
  if (characters.length <= charactersMax) return words;
  const cut = characters.slice(0, charactersMax).join('');
  const lastSpace = cut.lastIndexOf(' ');
  const isWhole = characters[charactersMax] === ' ';
  return isWhole || lastSpace < 1 ? cut : cut.slice(0, lastSpace);
}

/** The candidates of an orientation; when none has it, all, as another orientation still beats no image. */
export function preferOrientation(
  candidates: readonly Candidate[],
  orientation: Orientation,
): readonly Candidate[] {
  const fitting = candidates.filter(
    ({ widthPx = 1, heightPx = 1 }) => orientationOf({ widthPx, heightPx }) === orientation,
  );
  return fitting.length > 0 ? fitting : candidates;
}
