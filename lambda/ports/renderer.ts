/** Makes a rendition and stores it, so that a URL is given out only for an image that exists. */

import type { RenditionJob } from '../contract/messages/renderer-job';
import type { RenditionOutcome } from '../contract/messages/rendition-outcome';

/** The rendition was not made in time: the renderer has no free instance, or too much to do. It may be made meanwhile. */
export class RendererBusy extends Error {
  override readonly name = 'RendererBusy';
}

export interface Renderer {
  /**
   * @param deadlineMs moment (epoch) after which the caller does not wait any longer; the work may go on
   * @throws `RendererBusy` when it did not answer by the deadline, another error when it failed.
   */
  render(job: RenditionJob, deadlineMs: number): Promise<RenditionOutcome>;
}
