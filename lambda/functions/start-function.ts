/** What the functions have in common: their start, and how those that no gateway stands before are invoked. */

import { createLogTelemetry, type LogTelemetry } from '../aws/telemetry/log-telemetry';
import type { Clock } from '../base/clock';
import { systemClock } from '../base/system';
import type { Telemetry } from '../base/telemetry';
import type { FunctionName } from '../contract/functions';
import { type ConfigOf, readConfig, type Settings } from './settings';

/** Where the functions' log goes; the local service shows it in another form. */
export const logOutput = { write: (line: string): void => void process.stderr.write(line) };

/**
 * The first call of every `main.ts`.
 * @param functionName in every log record
 * @throws `ConfigurationError` that lists every missing or malformed setting
 */
export function startFunction<S extends Settings & { readonly METRIC_NAMESPACE: (text: string) => string }>(
  functionName: FunctionName,
  settings: S,
): { readonly config: ConfigOf<S>; readonly clock: Clock; readonly telemetry: LogTelemetry } {
  const config = readConfig(process.env, settings);
  const telemetry = createLogTelemetry({
    functionName,
    namespace: config.METRIC_NAMESPACE,
    write: (line) => logOutput.write(line),
    nowMs: systemClock.nowMs,
  });
  // Lambda ends an instance that rests without a signal, unless an extension is installed; this is for all other ends.
  process.once('exit', telemetry.flush);
  return { config, clock: systemClock, telemetry };
}

/** The handler of a function that is invoked with an event. @param context the part of Lambda's that is used */
export type InvokedHandler<Answer> = (
  event: unknown,
  context: { getRemainingTimeInMillis(): number },
) => Promise<Answer>;

/**
 * Errors are logged and thrown on.
 * @param fault what the log says of them
 * @param work gets the event, which only functions of this service send, and the moment (epoch, milliseconds) at which Lambda ends it
 */
export function invokedHandler<Event, Answer>(
  { clock, telemetry }: { readonly clock: Clock; readonly telemetry: Telemetry },
  fault: string,
  work: (event: Event, endsMs: number) => Promise<Answer>,
): InvokedHandler<Answer> {
  return async (event, context) => {
    try {
      return await work(event as Event, clock.nowMs() + context.getRemainingTimeInMillis());
    } catch (error) {
      telemetry.error(fault, error);
      throw error;
    }
  };
}
