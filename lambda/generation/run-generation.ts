/** Runs one generation job: draws the image, stores it, and settles its charge, each exactly once. */

import type { Clock, Ids } from '../base/clock';
import type { Telemetry } from '../base/telemetry';
import { timeOfUlid } from '../base/ulid';
import { unlimitedRequests } from '../contract/plans';
import type { ImageLibrary } from '../images/image-library';
import { dailyGenerations, generationShareOf, monthlyGenerationsOf } from '../quota/fair-use';
import { refundAll } from '../quota/ledger';
import type { Limit } from '../quota/quota';
import type { QuotaCounters } from '../quota/quota-counters';
import type { DrawMaster, DrawnMaster } from './draw-master';
import type { Generation, GenerationIndex, Master } from './generation';
import { executionPath, ownerOf } from './generation-identity';
import type { GenerationJob } from './generation-job';
import { commitExecution, discardExecution, failExecution, isCharged, type SettleDeps } from './settle';

interface RunGenerationDeps extends SettleDeps {
  readonly index: GenerationIndex;
  readonly library: ImageLibrary;
  readonly draw: DrawMaster;
  readonly counters: Pick<QuotaCounters, 'refund'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly telemetry: Telemetry;
}

/** @param deadlineMs moment (epoch, milliseconds) at which the function must be done */
export type RunGeneration = (job: GenerationJob, deadlineMs: number) => Promise<void>;

/** @throws when a step's outcome is unknown: then it stops there, and the sweeper finishes. */
export function createRunGeneration(deps: RunGenerationDeps): RunGeneration {
  return async (job, deadlineMs) => {
    const claimed = await deps.index.claim(job.lease, deps.ids.hex(8));
    // A second delivery of the same job, or one that came too late: another run makes the image.
    if (!claimed) return;

    const drawn = await deps.draw(job, deadlineMs);
    if (drawn.outcome === 'none') {
      deps.telemetry.count('generations', { outcome: drawn.why });
      const hasEnded = await failExecution(deps, job.lease, job.charge, drawn.why, claimed.tries);
      // A refusal has cost a request to the model, so it stays counted.
      if (hasEnded && drawn.why === 'upstream_unavailable')
        await refundAll(deps, ceilingsOf(job), job.lease.execution);
      return;
    }
    const master = await store(deps, job, claimed, drawn);
    if (master) await finish(deps, job, master);
  };
}

/** The ceilings that have counted a job, in the windows in which its execution began. */
function ceilingsOf({ lease: { key, execution }, counted = [] }: GenerationJob): readonly Limit[] {
  const beganMs = timeOfUlid(execution);
  const ceilings = {
    month: monthlyGenerationsOf(ownerOf(key), unlimitedRequests, beganMs),
    day: dailyGenerations(unlimitedRequests, beganMs),
    share: generationShareOf(ownerOf(key), unlimitedRequests, beganMs),
  };
  return counted.map((name) => ceilings[name]);
}

/** Stores the master under the execution's own folder; a store that fails ends the execution. */
async function store(
  deps: RunGenerationDeps,
  { lease, charge }: GenerationJob,
  { tries }: Generation,
  drawn: Extract<DrawnMaster, { outcome: 'image' }>,
): Promise<Master | undefined> {
  const path = executionPath(lease.key, lease.execution, `master.${drawn.extension}`);
  try {
    await deps.library.put(path, drawn.image);
    return { model: drawn.model, path, ...drawn.size };
  } catch (error) {
    deps.telemetry.error('A master could not be stored', error);
    await failExecution(deps, lease, charge, 'upstream_unavailable', tries);
    return undefined;
  }
}

async function finish(
  deps: RunGenerationDeps,
  { lease, charge, similarityKey }: GenerationJob,
  master: Master,
): Promise<void> {
  const nowMs = deps.clock.nowMs();
  // Sorts public images by age; the execution's ULID does it without a clock of its own.
  const listing = similarityKey === undefined ? undefined : { similarityKey, listedAt: lease.execution };
  const finished = { master, charged: isCharged(charge), nowMs, ...(listing ? { listing } : {}) };
  if ((await deps.index.finalize(lease, finished)) === 'fenced') {
    deps.telemetry.count('generations', { outcome: 'fenced' });
    return discardExecution(deps, lease, charge);
  }
  deps.telemetry.count('generations', { outcome: 'ready' });
  await commitExecution(deps, lease, charge);
}
