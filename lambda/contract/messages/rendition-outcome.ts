/**
 * The renderer's answer to a rendition job. Read by hand: a union's schema would add 3.5 KB to what the image function
 * loads at its start.
 */

export type RenditionOutcome =
  | { readonly outcome: 'stored' }
  /** The source is no usable image: broken, too large, too small, gone. Another candidate may do. */
  | { readonly outcome: 'unusable'; readonly reason: string; readonly because?: UnusableBecause }
  /** The stored image that it is made from is not there any more. */
  | { readonly outcome: 'gone' };

/** Too small for this size only; or its server did not answer, which may pass. Absent for an image that is of no use at all. */
export type UnusableBecause = 'too-small' | 'unanswered';

/** The outcome, or `undefined` when the answer is none. */
export function readRenditionOutcome(answer: unknown): RenditionOutcome | undefined {
  const { outcome, reason, because } = (answer ?? {}) as { readonly [name: string]: unknown };
  if (outcome === 'stored' || outcome === 'gone') return { outcome };
  if (outcome !== 'unusable' || typeof reason !== 'string') return undefined;
  return because === 'too-small' || because === 'unanswered'
    ? { outcome, reason, because }
    : { outcome, reason };
}
