/** Starts a function: reads its settings from the environment and gives it the clock and the log of the machine it runs on. */

import { systemClock } from '../adapters/system/system-clock';
import { createLogTelemetry } from '../adapters/telemetry/log-telemetry';
import type { FunctionName } from '../contract/functions';
import type { Clock } from '../ports/clock';
import type { Telemetry } from '../ports/telemetry';
import { type ConfigOf, readConfig, type Settings } from './config';

export interface StartedFunction<S extends Settings> {
  readonly config: ConfigOf<S>;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

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
  return {
    config,
    clock: systemClock,
    telemetry: createLogTelemetry({
      functionName,
      ...(namespace === undefined ? {} : { namespace }),
      write: (line) => process.stderr.write(line),
      nowMs: systemClock.nowMs,
    }),
  };
}
