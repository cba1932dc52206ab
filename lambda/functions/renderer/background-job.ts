/** Tells a background job from a rendition job, and reads it. */

import * as z from 'zod/mini';
import type { BackgroundJob } from '../../ports/background';

const schema = z.object({
  kind: z.literal('report-use'),
  provider: z.string().check(z.minLength(1), z.maxLength(50)),
  url: z.url({ protocol: /^https?$/ }),
});

/**
 * The job, or `undefined` when the event has no `kind` and so is no background job.
 * @throws `TypeError` when it has one that is not known, or is malformed.
 */
export function readBackgroundJob(event: unknown): BackgroundJob | undefined {
  if (typeof event !== 'object' || event === null || !('kind' in event)) return undefined;
  const read = schema.safeParse(event);
  if (read.success) return read.data;
  throw new TypeError(`Not a background job: ${read.error.issues.map(({ message }) => message).join('; ')}`);
}
