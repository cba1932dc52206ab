/** What the renderer function does for the image function: renditions, placeholders, and work after the caller has been answered. */

import type { Telemetry } from '../base/telemetry';
import type { Size } from '../requests/rendition';
import type { Placeholder } from './image';
import type { RenditionOutcome } from './renderer-answer';
import type { BackgroundJob, PlaceholderOrder, RenditionJob } from './renderer-job';

/**
 * The renderer has no free instance or too much to do: it did not answer in time, and the work may go on, or it refused
 * the job before anything of it began.
 */
export class RendererBusy extends Error {
  override readonly name = 'RendererBusy';
}

/** Makes renditions. */
export interface Renderer {
  /**
   * @param deadlineMs moment (epoch) after which the caller does not wait any longer; the work may go on
   * @throws `RendererBusy` when it did not answer by the deadline, another error when it failed.
   */
  render(job: RenditionJob, deadlineMs: number): Promise<RenditionOutcome>;
}

/** Does work after the caller has been answered. */
export interface Background {
  /**
   * Hands a job over and does not wait for it: resolves once it is accepted. It is done at least once, or dropped and
   * logged by the worker after its last attempt.
   * @throws `RendererBusy` when it was refused, another error when it is not known whether it was accepted
   */
  handOver(job: BackgroundJob): Promise<void>;
}

/** Makes placeholders while the caller waits. */
export interface PlaceholderMaker {
  /**
   * @param ratio size whose ratio the placeholder has
   * @param deadlineMs moment (epoch) after which the caller does not wait any longer
   * @throws `RendererBusy` when it was not made by then, another error when it failed: the text may be no BlurHash
   */
  ofBlurHash(blurHash: string, ratio: Size, deadlineMs: number): Promise<Placeholder>;
  /**
   * Makes and stores the placeholder of an image at once, for a caller that asks for nothing else.
   * @throws `RendererBusy` when it was not made by the deadline, another error when it failed: the image may be unreadable
   */
  ofImage(order: PlaceholderOrder, deadlineMs: number): Promise<Placeholder>;
}

const messages = {
  rendition: 'A rendition was not made',
  placeholder: 'A placeholder was not made',
} as const;

/**
 * Logs why something was not made. That no instance of the renderer is free is load, which is counted, and no fault.
 * @param about the image, as fields of the log line
 */
export function reportNotRendered(
  telemetry: Pick<Telemetry, 'count' | 'error' | 'info'>,
  what: keyof typeof messages,
  error: unknown,
  about: Readonly<Record<string, string>>,
): void {
  if (error instanceof RendererBusy) {
    telemetry.count('shed', { reason: what });
    telemetry.info(messages[what], { ...about, reason: error.message });
  } else telemetry.error(messages[what], error, about);
}
