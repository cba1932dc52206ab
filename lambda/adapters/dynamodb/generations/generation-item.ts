/** Turns an item of the generation index into a generation. */

import type { FailureReason, Generation, Master } from '../../../domain/generation/generation';
import type { ImageKey } from '../../../domain/generation/generation-identity';
import type { Item } from '../conditional-write';

/** Attributes are short because every lease, poll and listing reads them. */
export interface GenerationAttributes {
  readonly pk: ImageKey;
  readonly imageId: string;
  readonly st: Generation['state'];
  readonly ex: string;
  readonly f: number;
  readonly settled: boolean;
  readonly claim?: string;
  readonly q?: string;
  readonly due?: true;
  /** The request that has taken the first delivery. */
  readonly dueBy?: string;
  readonly why?: FailureReason;
  readonly tries?: number;
  readonly notBefore?: number;
  readonly until?: number;
  readonly s3?: Master;
}

export function generationIn(item: Item): Generation {
  const { pk, imageId, st, ex, f, settled, q, due, why, tries, notBefore, until, s3, claim } =
    item as unknown as GenerationAttributes;
  return {
    key: pk,
    imageId,
    state: st,
    execution: ex,
    fence: f,
    settled,
    due: due === true,
    tries: tries ?? 0,
    ...(q === undefined ? {} : { quotaKey: q }),
    ...(why === undefined ? {} : { failure: why }),
    ...(notBefore === undefined ? {} : { notBeforeMs: notBefore }),
    ...(until === undefined ? {} : { leaseEndsMs: until }),
    ...(claim === undefined ? {} : { isStarted: true }),
    ...(s3 === undefined ? {} : { master: s3 }),
  };
}
