/** Telemetry as lines of JSON: log records, and metrics in CloudWatch's embedded metric format. */

import { type MetricName, metricNamespace } from '../../contract/metrics';
import type { Fields, Telemetry } from '../../ports/telemetry';
import { redactField } from './redact';

type Dimensions = Readonly<Record<string, string>>;

export interface LogTelemetryOptions {
  /** Name of the function, in every log record. */
  readonly functionName: string;
  /** CloudWatch namespace of all metrics; a stack has its own. */
  readonly namespace?: string;
  /** Receives each finished line with its line break. */
  readonly write: (line: string) => void;
  readonly nowMs: () => number;
}

export function createLogTelemetry({
  functionName,
  namespace = metricNamespace,
  write,
  nowMs,
}: LogTelemetryOptions): Telemetry {
  const log = (level: 'info' | 'error', message: string, fields: Fields | undefined, error?: unknown) => {
    const record = {
      time: new Date(nowMs()).toISOString(),
      level,
      function: functionName,
      message,
      ...fields,
      ...(error === undefined ? {} : { error: describe(error) }),
    };
    write(`${JSON.stringify(record, redactField)}\n`);
  };
  const measure = (
    metric: MetricName,
    unit: 'Count' | 'Milliseconds',
    value: number,
    dimensions: Dimensions = {},
  ) => {
    // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
    const directive = {
      Namespace: namespace,
      Dimensions: [Object.keys(dimensions)],
      Metrics: [{ Name: metric, Unit: unit }],
    };
    write(
      `${JSON.stringify({ _aws: { Timestamp: nowMs(), CloudWatchMetrics: [directive] }, ...dimensions, [metric]: value })}\n`,
    );
  };
  return {
    info: (message, fields) => log('info', message, fields),
    error: (message, error, fields) => log('error', message, fields, error),
    count: (metric, dimensions?: Dimensions) => measure(metric, 'Count', 1, dimensions),
    time: (metric, durationMs, dimensions?: Dimensions) =>
      measure(metric, 'Milliseconds', durationMs, dimensions),
  };
}

/** Name, message and stack of an error and of what caused it; never its other fields, which may hold a request. */
function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  return { name, message, stack, ...(cause === undefined ? {} : { cause: describe(cause) }) };
}
