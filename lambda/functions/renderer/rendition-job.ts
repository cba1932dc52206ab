/** Reads a rendition job from an event, so that a faulty one is refused with a reason before any work is done. */

import * as z from 'zod/mini';
import { queryCharactersMax, sidePx, styles } from '../../contract/request-bounds';
import { renditionFormats } from '../../domain/image/image';
import { isLibraryPath, mediaTypeOfPath } from '../../domain/image/library-path';
import type { RenditionJob } from '../../ports/renderer';

const path = z.string().check(z.refine(isLibraryPath, 'not a path of the image library'));
const side = z.int().check(z.minimum(sidePx.min), z.maximum(sidePx.max));
const shortText = z.string().check(z.maxLength(1_000));

const source = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('drawing'),
    words: z.string().check(z.maxLength(queryCharactersMax)),
    seed: shortText,
    style: z.exactOptional(z.enum(styles)),
    variation: z.exactOptional(z.int()),
  }),
  z.object({
    kind: z.literal('remote'),
    url: z.url({ protocol: /^https?$/ }),
    allowedHosts: z.array(z.string().check(z.minLength(1))),
  }),
  z.object({ kind: z.literal('stored'), path }),
]);

const job = z
  .object({
    path,
    source,
    widthPx: side,
    heightPx: side,
    format: z.enum(renditionFormats),
    metadata: z.object({ creditLine: shortText, aiGenerated: z.boolean() }),
  })
  .check(
    z.refine((it) => mediaTypeOfPath(it.path) === `image/${it.format}`, {
      path: ['path'],
      message: 'its extension says another format',
    }),
  );

/** @throws `TypeError` that names each faulty field; values are left out, as a URL may hold a signature. */
export function readRenditionJob(event: unknown): RenditionJob {
  const read = job.safeParse(event);
  if (read.success) return read.data;
  const faults = read.error.issues.map((issue) => `${issue.path.join('.') || 'event'}: ${issue.message}`);
  throw new TypeError(`Not a rendition job: ${faults.join('; ')}`);
}
