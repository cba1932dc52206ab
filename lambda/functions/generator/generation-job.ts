/** Reads the event of the generator function. */

import * as z from 'zod/mini';
import { styles } from '../../contract/request-bounds';
import { aspectBuckets } from '../../domain/generation/aspect-bucket';
import type { GenerationJob } from '../../ports/generation-job';

const filled = z.string().check(z.minLength(1));

const schema = z.object({
  lease: z.object({ key: filled, execution: filled, fence: z.int() }),
  order: z.object({
    words: filled,
    style: z.enum(styles),
    bucket: z.enum(aspectBuckets),
    seed: z.int(),
    variation: z.exactOptional(z.int()),
  }),
  charge: z.exactOptional(
    z.object({ quotaKey: filled, execution: filled, cost: z.int(), prunable: z.array(filled) }),
  ),
  look: z.exactOptional(filled),
  basePath: z.exactOptional(filled),
});

/** @throws `Error` that names what is missing; the event itself, which holds a caller's words, is not repeated. */
export function readGenerationJob(event: unknown): GenerationJob {
  const read = schema.safeParse(event);
  if (read.success) return read.data;
  const places = read.error.issues.map(({ path }) => path.join('.') || 'the event');
  throw new Error(`This is no generation job: ${places.join(', ')} is not as it should be`);
}
