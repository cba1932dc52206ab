/** Work whose failure does not fail its caller. */

import type { Fields, Telemetry } from './telemetry';

/** Returns the result of work; `undefined` after a failure, which is logged under the message. */
export async function orLogged<T>(
  telemetry: Pick<Telemetry, 'error'>,
  message: string,
  work: () => Promise<T>,
  fields?: Fields,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    telemetry.error(message, error, fields);
    return undefined;
  }
}
