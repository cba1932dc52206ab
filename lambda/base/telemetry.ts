/** Log lines and metrics of the service. No key, raw IP address or signed URL belongs in either. */

import type { CountedEvent } from '../contract/metrics';

/** Further fields of a log record, by name; redacted before they are written. */
export type Fields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Receives what code reports. No method throws or waits. */
export interface Telemetry {
  info(message: string, fields?: Fields): void;
  error(message: string, error: unknown, fields?: Fields): void;
  count(...event: CountedEvent): void;
  time(metric: 'generatorLatency', durationMs: number, dimensions: { readonly generator: string }): void;
}

/** Returns the result of work; `undefined` after a failure, which is logged under the message. */
export async function undefinedIfFailed<T>(
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
