/** Hands over work that is done after the caller has been answered, by a function of its own. */

import type { BackgroundJob } from '../contract/messages/renderer-job';

export interface Background {
  /**
   * Hands a job over and does not wait for it: resolves once it is accepted. It is done at least once, or dropped and
   * logged by the worker after its last attempt.
   * @throws when it was not accepted.
   */
  handOver(job: BackgroundJob): Promise<void>;
}
