/** The renderer as a request calls it, and the log entry for a rendition that was not made. */

import { FunctionBusy } from '../aws/lambda';
import type { Fields, Telemetry } from '../base/telemetry';
import type { RenditionJob, RenditionOutcome } from './renderer-job';

/** The renderer function behind Lambda. */
export interface Renderer {
  /** Makes and stores a rendition. Throws `FunctionBusy` if the function does not answer by the deadline. */
  render(job: RenditionJob): Promise<RenditionOutcome>;
}

/** Logs why a rendition was not made. Busy instances are counted as load; other errors are faults. */
export function reportNotRendered(telemetry: Telemetry, error: unknown, fields: Fields): void {
  if (error instanceof FunctionBusy) {
    telemetry.count('overloads', { reason: 'rendition' });
    telemetry.info('A rendition was not made', { ...fields, reason: error.message });
  } else telemetry.error('A rendition was not made', error, fields);
}
