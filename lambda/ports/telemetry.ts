/** What the service says about itself: log lines and counted events. No key, raw IP address or signed URL belongs in either. */

export type Fields = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Telemetry {
  /** Something worth knowing that is no fault. */
  info(message: string, fields?: Fields): void;
  /** A fault, with its internal text. */
  error(message: string, error: unknown, fields?: Fields): void;
  /** Counts an event in a metric, with low-cardinality dimensions only. */
  count(metric: MetricName, dimensions?: Readonly<Record<string, string>>): void;
  /** Records a duration in milliseconds. */
  time(metric: MetricName, durationMs: number, dimensions?: Readonly<Record<string, string>>): void;
}

export type MetricName =
  | 'requests'
  | 'refusals'
  | 'meterUnknown'
  | 'refundFailed'
  | 'invariantBroken'
  | 'providerFailures'
  | 'usageReports'
  | 'renditions'
  | 'generations'
  | 'charges'
  | 'refunds'
  | 'generatorLatency';
