/** Starts a function: reads its settings, opens its log and connections, and creates its handler. */

import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Database } from '../aws/dynamodb';
import { createLogTelemetry, type LogTelemetry } from '../aws/telemetry/log-telemetry';
import { type Clock, systemClock } from '../base/clock';
import type { Telemetry } from '../base/telemetry';
import type { FunctionName } from '../contract/functions';
import { dynamoDbTimes } from '../contract/timeouts';
import { type ConfigOf, readConfig, type Settings } from '../services/settings';

/** The output of log lines. The local service replaces `write` to show them in another form. */
export const logOutput = { write: (line: string): void => void process.stderr.write(line) };

/** Reads the settings of a function and opens its log. Throws an error that lists every wrong setting. */
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
  // Lambda ends a resting instance without a signal, unless an extension is installed.
  process.once('exit', telemetry.flush);
  return { config, clock: systemClock, telemetry };
}

/**
 * Reads an item that does not exist, on each connection that a request uses. Otherwise the first request
 * would wait for connections, credentials and a compiled client. Never throws, because the first request
 * shows a fault.
 */
export async function warmUp({ client }: Database, TableName: string, connections: number): Promise<void> {
  const abortSignal = AbortSignal.timeout(dynamoDbTimes.warmUpMs);
  const readNone = () => client.send(new GetCommand({ TableName, Key: { pk: 'none' } }), { abortSignal });
  await Promise.allSettled(Array.from({ length: connections }, readNone));
}

/** A handler that Lambda invokes with an event. It uses one method of Lambda's context. */
export type InvokedHandler<Answer> = (
  event: unknown,
  context: { getRemainingTimeInMillis(): number },
) => Promise<Answer>;

/** Creates a handler. It logs errors with a message, and throws them on. */
export function createInvokedHandler<Event, Answer>(
  { clock, telemetry }: { readonly clock: Clock; readonly telemetry: Telemetry },
  errorMessage: string,
  handleEvent: (event: Event, endsMs: number) => Promise<Answer>,
): InvokedHandler<Answer> {
  return async (event, context) => {
    try {
      return await handleEvent(event as Event, clock.nowMs() + context.getRemainingTimeInMillis());
    } catch (error) {
      telemetry.error(errorMessage, error);
      throw error;
    }
  };
}
