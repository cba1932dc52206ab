/** The message from the image function to the renderer about work that is done after the caller has been answered. */

import * as z from 'zod/mini';
import { crops, sidePx } from '../request-bounds';
import { type MessageOf, readMessage } from './read-message';

const webUrl = z.url({ protocol: /^https?$/ });
/** A small image for a placeholder may be smaller than any that a caller can ask for. */
const smallSide = z.int().check(z.minimum(1), z.maximum(sidePx.max));

/** Reports to a stock provider that one of its images is used. */
const usageReport = z.object({
  kind: z.literal('report-use'),
  /** Name of the provider's adapter. */
  provider: z.string().check(z.minLength(1), z.maxLength(50)),
  /** The provider's own URL for this report, without a key. */
  url: webUrl,
});

/** Makes the placeholder of an image that its provider crops, from a small size of it, and stores it. */
const placeholderOrder = z.object({
  kind: z.literal('make-placeholder'),
  /** Key of the item of the lookup cache that it is stored in. */
  key: z.string().check(z.minLength(1), z.maxLength(200)),
  url: webUrl,
  allowedHosts: z.array(z.string().check(z.minLength(1))),
  /** Size to which the small image is cropped. */
  widthPx: smallSide,
  heightPx: smallSide,
  /** `attention` by default. */
  crop: z.exactOptional(z.enum(crops)),
});

const backgroundJob = z.discriminatedUnion('kind', [usageReport, placeholderOrder]);

export type UsageReport = MessageOf<typeof usageReport>;
export type PlaceholderOrder = MessageOf<typeof placeholderOrder>;
export type BackgroundJob = UsageReport | PlaceholderOrder;

/**
 * The job, or `undefined` when the event has no `kind` and so is no background job.
 * @throws `TypeError` when the kind is not known or a field is malformed
 */
export function readBackgroundJob(event: unknown): BackgroundJob | undefined {
  if (typeof event !== 'object' || event === null || !('kind' in event)) return undefined;
  return readMessage('background job', backgroundJob, event);
}
