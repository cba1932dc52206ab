/** Starts a function: reads its settings from the environment and gives it the clock and the log of the machine it runs on. */

import { createLogTelemetry, type LogTelemetry } from '../aws/telemetry/log-telemetry';
import type { Clock } from '../base/clock';
import { systemClock } from '../base/system';
import type { FunctionName } from '../contract/functions';
import { type ConfigOf, readConfig, type Settings } from './config';

interface StartedFunction<S extends Settings> {
  readonly config: ConfigOf<S>;
  readonly clock: Clock;
  readonly telemetry: LogTelemetry;
}

/** Where the functions' log goes; the local service shows it in another form. */
export const logOutput = { write: (line: string): void => void process.stderr.write(line) };

/**
 * The first call of every `main.ts`.
 * @param functionName in every log record
 * @throws `ConfigurationError` that lists every missing or malformed setting
 */
export function startFunction<S extends Settings>(
  functionName: FunctionName,
  settings: S,
  environment: Readonly<Record<string, string | undefined>>,
): StartedFunction<S> {
  const config = readConfig(environment, settings);
  const { METRIC_NAMESPACE: namespace } = config as { readonly METRIC_NAMESPACE?: string };
  const telemetry = createLogTelemetry({
    functionName,
    ...(namespace === undefined ? {} : { namespace }),
    write: (line) => logOutput.write(line),
    nowMs: systemClock.nowMs,
  });
  // Lambda ends an instance that rests without a signal, unless an extension is installed; this is for all other ends.
  process.once('exit', telemetry.flush);
  return { config, clock: systemClock, telemetry };
}
