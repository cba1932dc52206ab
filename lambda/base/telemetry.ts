/** Defines log lines and metrics. Neither may contain a key, a raw IP address or a signed URL. */

import type { CountedEvent } from '../contract/metrics';

/** Further fields of a log record, by name. They are redacted before they are written. */
export type Fields = Readonly<Record<string, string | number | boolean | undefined>>;

/** The receiver of log lines and metrics. No method throws or waits. */
export interface Telemetry {
  info(message: string, fields?: Fields): void;
  error(message: string, error: unknown, fields?: Fields): void;
  count(...event: CountedEvent): void;
  time(metric: 'generatorLatency', durationMs: number, dimensions: { readonly generator: string }): void;
}

/** Tries work, and returns its result. A failure is logged with the message and gives `undefined`. */
export async function tryAndLog<T>(
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
