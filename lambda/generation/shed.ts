/** Refuses a request for an AI image rather than leaving it waiting, so that its execution is free for others. */

import type { Telemetry } from '../base/telemetry';
import { generationInProgress } from '../problems/problem';
import type { RefusedImage } from './making-refusals';

/** The answer to a request that does not wait any longer. */
export const inProgress: RefusedImage = {
  outcome: 'refused',
  refusal: generationInProgress,
};

/**
 * `too_many_wait`: as many requests wait as may. `not_started`: no generator has begun in time. `throttled`: Lambda has
 * refused the job.
 */
export type ShedReason = 'too_many_wait' | 'not_started' | 'throttled';

export function shed(telemetry: Telemetry, reason: ShedReason): RefusedImage {
  telemetry.count('shed', { reason });
  return inProgress;
}
