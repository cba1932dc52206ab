/** Removes stored masters that no generation names: what runs left behind that were cut off while they cleared away. */

import type { Clock } from '../base/clock';
import { timeOfUlid } from '../base/ulid';
import type { ImageLibrary } from '../images/image-library';
import type { GenerationIndex } from './generation';
import { executionOf, masterFolderPrefix } from './generation-identity';

interface RemoveOrphansDeps {
  readonly index: Pick<GenerationIndex, 'byImageId'>;
  readonly library: Pick<ImageLibrary, 'list' | 'remove'>;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/**
 * @param share which sixteenth of the masters to look through, from 0 to 15; all of them when absent
 * @returns how many masters were removed
 */
export type RemoveOrphans = (share?: number) => Promise<number>;

/** Far longer than any execution and any message about it lasts, in milliseconds. */
const orphanAgeMinMs = 3_600_000;
/**
 * Older ones have been looked at in several rounds, so that a round costs as much as a few days' images, however many
 * are stored. Shorter than a generation without an image is kept, in milliseconds.
 */
const orphanAgeMaxMs = 3 * 86_400_000;

/** Looks at executions between an hour and three days old, and removes what no generation names. */
export function createRemoveOrphans({ index, library, clock }: RemoveOrphansDeps): RemoveOrphans {
  const isOrphan = async (imageId: string, execution: string): Promise<boolean> => {
    const generation = await index.byImageId(imageId);
    // Its record outlives what is looked at here, so one that is not found is a fault and no proof.
    if (!generation) return false;
    if (generation.execution !== execution) return true;
    // A lease may be taken by a late copy of its own request, when its execution has long been given up.
    const { state, leaseEndsMs = 0 } = generation;
    return state !== 'READY' && (state !== 'LEASED' || leaseEndsMs + orphanAgeMinMs <= clock.nowMs());
  };

  return async (share) => {
    const ageMs = (execution: string) => clock.nowMs() - timeOfUlid(execution);
    const verdicts = new Map<string, boolean>();
    let removed = 0;
    for await (const path of library.list(masterFolderPrefix(share))) {
      const stored = executionOf(path);
      if (!stored) continue;
      const { imageId, execution } = stored;
      if (ageMs(execution) < orphanAgeMinMs || ageMs(execution) > orphanAgeMaxMs) continue;
      const verdict = verdicts.get(execution) ?? (await isOrphan(imageId, execution));
      verdicts.set(execution, verdict);
      if (!verdict) continue;
      await library.remove(path);
      removed += 1;
    }
    return removed;
  };
}
