/** Writes log records as lines of JSON at once, and metrics as sums. */

import type { Fields, Telemetry } from '../../base/telemetry';
import { metricNamespace } from '../../contract/metrics';
import { createMetricSums } from './metric-sums';
import { redactField } from './redact';

interface LogTelemetryOptions {
  /** Name of the function, in every log record. */
  readonly functionName: string;
  /** CloudWatch namespace of all metrics; a stack has its own. */
  readonly namespace?: string;
  /** Receives each finished line with its line break. */
  readonly write: (line: string) => void;
  readonly nowMs: () => number;
}

/** Telemetry that adds metrics up between two lines. */
export interface LogTelemetry extends Telemetry {
  /** Writes the metrics that have been added up; called at the end of a process. */
  flush(): void;
}

/** Writes each record as a line at once, redacted, and the metrics as `createMetricSums` does. */
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

/** Returns name, message and stack of an error and its causes; other fields may hold a request. */
function errorRecord(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  return { name, message, stack, ...(cause === undefined ? {} : { cause: errorRecord(cause) }) };
}
