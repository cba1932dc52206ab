/** The renderer as a request calls it, and the refusal when it makes no rendition. */

import { FunctionBusy } from '../aws/lambda';
import type { Fields, Telemetry } from '../base/telemetry';
import type { Refusal } from '../problems/problem';
import type { RefusedOutcome } from './image-outcome';
import type { RenditionJob, RenditionOutcome } from './renderer-job';

/** The renderer function behind Lambda. */
export interface Renderer {
  /** Makes and stores a rendition. Throws `FunctionBusy` if the function does not answer by the deadline. */
  render(job: RenditionJob): Promise<RenditionOutcome>;
}

/**
 * Refuses a request after an error of the renderer, and logs the error. A busy renderer counts as load, and the
 * caller gets `busyRefusal`. Any other error is a fault.
 */
export function refuseNotRendered(
  telemetry: Telemetry,
  error: unknown,
  busyRefusal: Refusal,
  fields: Fields,
): RefusedOutcome {
  const message = 'A rendition was not made';
  if (error instanceof FunctionBusy) {
    telemetry.count('overloads', { reason: 'rendition' });
    telemetry.info(message, { ...fields, reason: error.message });
    return { outcome: 'refused', refusal: busyRefusal };
  }
  telemetry.error(message, error, fields);
  return { outcome: 'refused', refusal: { code: 'upstream_unavailable' } };
}
