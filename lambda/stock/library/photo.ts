/** A photograph of the operator's own, as the index in the bucket lists it. */

import type { LibraryPath } from '../../images/library-path';

/** Most characters of each text, and most keywords, that are kept of a photograph. */
export const photoTextMax = { title: 200, description: 500, keyword: 60, keywords: 40, rights: 300 } as const;

/** A photograph of the operator's own. */
export interface Photo {
  /** The first 20 hexadecimal digits of the hash of its bytes. */
  readonly id: string;
  /** Its path below the folder that it was added from, with `/`. */
  readonly file: string;
  readonly title?: string;
  readonly description?: string;
  readonly keywords: readonly string[];
  readonly creator?: string;
  readonly copyright?: string;
  readonly license?: string;
  readonly landingUrl?: string;
  /** Upright, in pixels. */
  readonly width: number;
  readonly height: number;
  /** ISO 8601. */
  readonly addedAt: string;
  /** The stems of its words, separated by spaces: a function that starts has no time to make them for 20,000. */
  readonly stems: string;
  /** Of the file in the image library. */
  readonly path: LibraryPath;
}
