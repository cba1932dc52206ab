/** A photograph of the operator's own, as the index in the bucket lists it. */

import * as z from 'zod/mini';
import { isLibraryPath, type LibraryPath } from '../../images/library-path';

/** Most characters of each text, and most keywords, that are kept of a photograph. */
export const photoTextMax = { title: 200, description: 500, keyword: 60, keywords: 40, rights: 300 } as const;

const text = z.exactOptional(z.string());

/** A row of an index file. */
export const photoSchema = z.object({
  /** The first 20 hexadecimal digits of the hash of its bytes. */
  id: z.string(),
  /** Its path below the folder that it was added from, with `/`. */
  file: z.string(),
  title: text,
  description: text,
  keywords: z.array(z.string()),
  creator: text,
  copyright: text,
  license: text,
  landingUrl: text,
  /** Upright, in pixels. */
  width: z.int(),
  height: z.int(),
  /** ISO 8601. */
  addedAt: z.string(),
  /** The stems of its words, separated by spaces: a function that starts has no time to make them for 20,000. */
  stems: z.string(),
  /** Of the file in the image library. */
  path: z.custom<LibraryPath>(isLibraryPath),
});

/** A photograph of the operator's own. */
export type Photo = Readonly<z.infer<typeof photoSchema>>;

/** Photographs in one file of an index. */
export const photosPerFile = 5_000;
