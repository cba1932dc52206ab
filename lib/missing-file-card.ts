/** Where the card stands that the image distribution answers with in place of a file that is gone. */

import { createHash } from 'node:crypto';
import { missingFileCard } from '../lambda/http/error-card';

/** Path below the image distribution, and in the image bucket. */
export function missingFileCardPath(): string {
  return `public/gone-${createHash('sha256').update(missingFileCard()).digest('hex').slice(0, 16)}.svg`;
}
