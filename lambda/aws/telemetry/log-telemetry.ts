/** Telemetry in the log of a function: records as lines of JSON, metrics as sums. */

import type { Fields, Telemetry } from '../../base/telemetry';
import { metricNamespace } from '../../contract/metrics';
import { createMetricSums } from './metric-sums';
import { redactField } from './redact';

interface LogTelemetryOptions {
  /** Name of the function, in every log record. */
  readonly functionName: string;
  /** The CloudWatch namespace of all metrics. Each stack has another one. */
  readonly namespace?: string;
  /** Takes a line with its line break. */
  readonly write: (line: string) => void;
  readonly nowMs: () => number;
}

/** Telemetry that adds up metrics. */
export interface LogTelemetry extends Telemetry {
  /** Writes the sums. It is called at the end of a process. */
  flush(): void;
}

/** Creates telemetry. It redacts each record and writes it at once; `createMetricSums` writes the metrics. */
export function createLogTelemetry({
  functionName,
  namespace = metricNamespace,
  write,
  nowMs,
}: LogTelemetryOptions): LogTelemetry {
  const log = (level: 'info' | 'error', message: string, fields: Fields | undefined, error?: unknown) => {
    const record = {
      time: new Date(nowMs()).toISOString(),
      level,
      function: functionName,
      message,
      ...fields,
      ...(error === undefined ? {} : { error: errorRecord(error) }),
    };
    write(`${JSON.stringify(record, redactField)}\n`);
  };
  const sums = createMetricSums(namespace, write, nowMs);
  return {
    info: (message, fields) => log('info', message, fields),
    error: (message, error, fields) => log('error', message, fields, error),
    ...sums,
  };
}

/** Returns name, message and stack of an error and its causes. Other fields may hold a request. */
function errorRecord(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  return { name, message, stack, ...(cause === undefined ? {} : { cause: errorRecord(cause) }) };
}
