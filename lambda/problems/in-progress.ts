/** The refusal of a request whose image is being made, apart from the table of errors, which few functions load. */

import type { Refusal } from './problem';

/** Seconds after which a caller should ask again for what is being made, or for a free place to have it made. */
export const inProgressRetryAfterS = 5;

/** The image may be there in a moment. */
export const generationInProgress = {
  code: 'generation_in_progress',
  retryAfterS: inProgressRetryAfterS,
} as const satisfies Refusal;
