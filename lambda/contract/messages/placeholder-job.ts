/** The message from the image function to the renderer: one placeholder to be made from a BlurHash. */

import * as z from 'zod/mini';
import { sidePx } from '../request-bounds';
import { type MessageOf, readMessage } from './read-message';

const side = z.int().check(z.minimum(sidePx.min), z.maximum(sidePx.max));

const placeholderJob = z.object({
  blurHash: z.string().check(z.minLength(6), z.maxLength(200)),
  /** Size whose ratio the placeholder has. */
  widthPx: side,
  heightPx: side,
});

export type PlaceholderJob = MessageOf<typeof placeholderJob>;

/**
 * The job, or `undefined` when the event names no BlurHash and so is another job.
 * @throws `TypeError` that names each faulty field
 */
export function readPlaceholderJob(event: unknown): PlaceholderJob | undefined {
  if (typeof event !== 'object' || event === null || !('blurHash' in event)) return undefined;
  return readMessage('placeholder job', placeholderJob, event);
}
