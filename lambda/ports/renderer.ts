/** Makes a rendition and stores it, so that a URL is given out only for an image that exists. */

import type { RenditionJob } from '../contract/messages/rendition-job';
import type { RenditionOutcome } from '../contract/messages/rendition-outcome';

export interface Renderer {
  /**
   * @param deadlineMs moment (epoch) after which the caller does not wait any longer; the work may go on
   * @throws when the renderer itself failed or did not answer by the deadline.
   */
  render(job: RenditionJob, deadlineMs: number): Promise<RenditionOutcome>;
}
