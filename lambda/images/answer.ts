/** What a request for an image ends in, before it is put into HTTP. */

import type { RateLimitStatus, Refusal } from '../problems/problem';
import type { ServedImage } from './image';

export type Answer =
  | {
      readonly outcome: 'served';
      readonly image: ServedImage;
      readonly cache: 'HIT' | 'MISS';
      readonly rateLimit: RateLimitStatus;
      /** It has cost its caller nothing. */
      readonly isFree?: true;
    }
  | {
      readonly outcome: 'refused';
      readonly refusal: Refusal;
      /** Absent where the caller was not metered: before the meter, asking would cost a read. */
      readonly rateLimit?: RateLimitStatus;
      /** A charge stands, or may stand, though no image was served. */
      readonly isOwed?: true;
    };

/**
 * The answer to a request whose charge stands, or may stand, whatever came of it: an image is not free then, and whatever
 * is none is owed.
 */
export function withStandingCharge<T extends { readonly outcome: string }>(answer: T): T {
  if (answer.outcome !== 'served') return { ...answer, isOwed: true };
  const { isFree: _, ...charged } = answer as T & Pick<Extract<Answer, { outcome: 'served' }>, 'isFree'>;
  return charged as unknown as T;
}

/** A fault that was met after the caller had been metered, with the rate limit status now that it was refunded. */
export class MeteredFault extends Error {
  override readonly name = 'MeteredFault';
  constructor(
    readonly rateLimit: RateLimitStatus,
    cause: unknown,
    /** Whether the charge stands, or may stand, because the refund failed. */
    readonly isOwed = false,
  ) {
    super('A metered request failed', { cause });
  }
}

/** By its name, not its class: what is loaded on first need is bundled with a copy of the class of its own. */
export function isMeteredFault(error: unknown): error is MeteredFault {
  return error instanceof Error && error.name === 'MeteredFault';
}
