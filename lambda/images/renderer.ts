/** What the renderer function does for the image function: renditions, and work after the caller has been answered. */

import type { Telemetry } from '../base/telemetry';
import type { RenditionJob, RenditionOutcome } from './renderer-job';

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

/**
 * Logs why a rendition was not made. That no instance of the renderer is free is load, which is counted, and no fault.
 * @param about the image, as fields of the log line
 */
export function reportNotRendered(
  telemetry: Pick<Telemetry, 'count' | 'error' | 'info'>,
  error: unknown,
  about: Readonly<Record<string, string>>,
): void {
  if (error instanceof RendererBusy) {
    telemetry.count('shed', { reason: 'rendition' });
    telemetry.info('A rendition was not made', { ...about, reason: error.message });
  } else telemetry.error('A rendition was not made', error, about);
}
