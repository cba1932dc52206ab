/**
 * The renderer's answer to a rendition job. Read by hand: a union's schema would add 3.5 KB to what the image function
 * loads at its start.
 */

export type RenditionOutcome =
  | { readonly outcome: 'stored' }
  /** The source is no usable image: broken, too large, too small, gone. Another candidate may do. */
  | { readonly outcome: 'unusable'; readonly reason: string };

/** The outcome, or `undefined` when the answer is none. */
export function readRenditionOutcome(answer: unknown): RenditionOutcome | undefined {
  const { outcome, reason } = (answer ?? {}) as { readonly outcome?: unknown; readonly reason?: unknown };
  if (outcome === 'stored') return { outcome };
  return outcome === 'unusable' && typeof reason === 'string' ? { outcome, reason } : undefined;
}
