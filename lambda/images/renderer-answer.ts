/** What the renderer answers to each of its jobs. The answers that are read are read by hand, for the reason of the rendition outcome. */

import type { Placeholder } from './image';
import { isPlaceholder, type RenditionOutcome } from './rendition-outcome';

/** To a placeholder job, and to an order for a placeholder. */
interface PlaceholderMade {
  readonly outcome: 'made';
  readonly placeholder: Placeholder;
}

/** To a background job that makes nothing to answer with; its sender has not waited. */
interface JobDone {
  readonly outcome: 'done';
}

export type RendererAnswer = RenditionOutcome | PlaceholderMade | JobDone;

/** The placeholder that was made, or `undefined` when the answer holds none. */
export function readPlaceholderMade(answer: unknown): Placeholder | undefined {
  const { outcome, placeholder } = (answer ?? {}) as { readonly [name: string]: unknown };
  return outcome === 'made' && isPlaceholder(placeholder) ? placeholder : undefined;
}
