/** Declares how a request calls the renderer, and logs why a rendition was not made. */

import { FunctionBusy } from '../aws/lambda';
import type { Telemetry } from '../base/telemetry';
import type { RenditionJob, RenditionOutcome } from './renderer-job';

/** The renderer function behind Lambda. */
export interface Renderer {
  /** Has a rendition made and stored. @throws `FunctionBusy` when it did not answer by the deadline */
  render(job: RenditionJob): Promise<RenditionOutcome>;
}

/** Logs why a rendition was not made. That all instances are busy is load, not a fault. */
export function reportNotRendered(
  telemetry: Pick<Telemetry, 'count' | 'error' | 'info'>,
  error: unknown,
  logFields: Readonly<Record<string, string>>,
): void {
  if (error instanceof FunctionBusy) {
    telemetry.count('overloads', { reason: 'rendition' });
    telemetry.info('A rendition was not made', { ...logFields, reason: error.message });
  } else telemetry.error('A rendition was not made', error, logFields);
}
