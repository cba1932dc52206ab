/** What a request for a picture ends in, before it is put into HTTP. */

import type { ServedPicture } from '../picture/image';
import type { Standing } from '../quota/quota';
import type { Refusal } from './problem';

export type Answer =
  | {
      readonly outcome: 'served';
      readonly picture: ServedPicture;
      readonly cache: 'HIT' | 'MISS';
      readonly standing: Standing;
    }
  | {
      readonly outcome: 'refused';
      readonly refusal: Refusal;
      /** Absent where the caller was not metered: before the meter, asking would cost a read. */
      readonly standing?: Standing;
    };

/** A fault that was met after the caller had been metered, with where the caller stands now that it was given back. */
export class MeteredFault extends Error {
  override readonly name = 'MeteredFault';
  constructor(
    readonly standing: Standing,
    cause: unknown,
  ) {
    super('A metered request failed', { cause });
  }
}
