/**
 * What the renderer answers to each of its jobs. Read by hand: a union's schema would add 3.5 KB to what the image
 * function loads at its start.
 */

import type { Placeholder } from './image';

/** The answer to a rendition job. */
export type RenditionOutcome =
  /** `placeholder` is absent where the pixels of the stored image could not be read. */
  | { readonly outcome: 'stored'; readonly placeholder?: Placeholder }
  /** The source is no usable image: broken, too large, too small, gone. Another candidate may do. */
  | { readonly outcome: 'unusable'; readonly reason: string; readonly because?: UnusableBecause }
  /** The stored image that it is made from is not there any more. */
  | { readonly outcome: 'gone' };

/** Too small for this size only; or its server did not answer, which may pass. Absent for an image that is of no use at all. */
export type UnusableBecause = 'too-small' | 'unanswered';

/** The outcome, or `undefined` when the answer has another shape. */
export function readRenditionOutcome(answer: unknown): RenditionOutcome | undefined {
  const { outcome, reason, because, placeholder } = (answer ?? {}) as { readonly [name: string]: unknown };
  if (outcome === 'stored') return isPlaceholder(placeholder) ? { outcome, placeholder } : { outcome };
  if (outcome === 'gone') return { outcome };
  if (outcome !== 'unusable' || typeof reason !== 'string') return undefined;
  return because === 'too-small' || because === 'unanswered'
    ? { outcome, reason, because }
    : { outcome, reason };
}

/** Whether a value is a placeholder, whose texts may stand in a style attribute and in a header as they are. */
export function isPlaceholder(value: unknown): value is Placeholder {
  const { color, dataUri } = (value ?? {}) as { readonly [name: string]: unknown };
  return (
    /^#[0-9a-f]{6}$/.test(String(color)) &&
    /^data:image\/webp;base64,[\w+/]{1,2000}={0,2}$/.test(String(dataUri))
  );
}

/** To a background job that makes nothing to answer with; its sender has not waited. */
interface JobDone {
  readonly outcome: 'done';
}

/** To a job of any kind. */
export type RendererAnswer = RenditionOutcome | JobDone;
