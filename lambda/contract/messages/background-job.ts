/** The message from the image function to the renderer about work that is done after the caller has been answered. */

import * as z from 'zod/mini';
import { type MessageOf, readMessage } from './read-message';

/** Reports to a stock provider that one of its images is used. */
const usageReport = z.object({
  kind: z.literal('report-use'),
  /** Name of the provider's adapter. */
  provider: z.string().check(z.minLength(1), z.maxLength(50)),
  /** The provider's own URL for this report, without a key. */
  url: z.url({ protocol: /^https?$/ }),
});

export type UsageReport = MessageOf<typeof usageReport>;
export type BackgroundJob = UsageReport;

/**
 * The job, or `undefined` when the event has no `kind` and so is no background job.
 * @throws `TypeError` when the kind is not known or a field is malformed
 */
export function readBackgroundJob(event: unknown): BackgroundJob | undefined {
  if (typeof event !== 'object' || event === null || !('kind' in event)) return undefined;
  return readMessage('background job', usageReport, event);
}
