/** Does what a caller can do without. */

import type { Fields, Telemetry } from './telemetry';

/** The result of some work; a failure is logged under a message, and ends here with `undefined`. */
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
