/** The message from the image function to the renderer: one rendition to be made. */

import * as z from 'zod/mini';
import { renditionFormats } from '../../domain/image/image';
import { isLibraryPath, type LibraryPath, mediaTypeOfPath } from '../../domain/image/library-path';
import { crops, queryCharactersMax, sidePx, styles } from '../request-bounds';
import { type MessageOf, readMessage } from './read-message';

const path = z.custom<LibraryPath>(isLibraryPath, 'not a path of the image library');
const side = z.int().check(z.minimum(sidePx.min), z.maximum(sidePx.max));
const shortText = z.string().check(z.maxLength(1_000));

/** Where the pixels come from. */
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

const renditionJob = z
  .object({
    /** Where it is stored in the image library; an image that is already there is not made again. */
    path,
    source,
    widthPx: side,
    heightPx: side,
    format: z.enum(renditionFormats),
    /** What is kept of an original of another ratio; `attention` by default. */
    crop: z.exactOptional(z.enum(crops)),
    /** Made from its source even where it is stored: to see whether the source still answers. */
    anew: z.exactOptional(z.boolean()),
    /** Written into the image's metadata. */
    metadata: z.object({ creditLine: shortText, aiGenerated: z.boolean() }),
  })
  .check(
    z.refine((it) => mediaTypeOfPath(it.path) === `image/${it.format}`, {
      path: ['path'],
      message: 'its extension says another format',
    }),
  );

export type RenditionSource = MessageOf<typeof source>;
export type RenditionJob = MessageOf<typeof renditionJob>;

/** @throws `TypeError` that names each faulty field */
export function readRenditionJob(event: unknown): RenditionJob {
  return readMessage('rendition job', renditionJob, event);
}
