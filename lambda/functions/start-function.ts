/** What the functions have in common: their start, and how those that no gateway stands before are invoked. */

import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Database } from '../aws/dynamodb';
import { createLogTelemetry, type LogTelemetry } from '../aws/telemetry/log-telemetry';
import type { Clock } from '../base/clock';
import { systemClock } from '../base/system';
import type { Telemetry } from '../base/telemetry';
import type { FunctionName } from '../contract/functions';
import { dynamoDbTimes } from '../contract/timeouts';
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

/**
 * Reads an item that does not exist, once for each connection that a request uses: the first calls of a process open the
 * connections, find the credentials and compile the client's code, most of what a first request would otherwise take.
 * Never throws: what is wrong with the table, the first request finds out.
 */
export async function warmUp({ client }: Database, TableName: string, connections: number): Promise<void> {
  const abortSignal = AbortSignal.timeout(dynamoDbTimes.warmUpMs);
  const readNone = () => client.send(new GetCommand({ TableName, Key: { pk: 'none' } }), { abortSignal });
  await Promise.allSettled(Array.from({ length: connections }, readNone));
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
