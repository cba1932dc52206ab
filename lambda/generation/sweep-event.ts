/** What the schedules send to the sweeper. */

import * as z from 'zod/mini';
import { type MessageOf, readMessage } from '../base/read-message';

/** EventBridge may add fields of its own. */
const sweepEvent = z.object({
  /** Looks into operations whose time is not over yet, too, and into all images at once. */
  everything: z.exactOptional(z.boolean()),
  /** Removes images that nothing names, instead of settling operations: a sixteenth of all images each hour. */
  orphans: z.exactOptional(z.boolean()),
});

/** Which of its rounds the sweeper does; without a field, it settles what is overdue. */
export type SweepEvent = MessageOf<typeof sweepEvent>;

/** @throws `TypeError` that names each faulty field */
export function readSweepEvent(event: unknown): SweepEvent {
  return readMessage('sweep event', sweepEvent, event);
}
