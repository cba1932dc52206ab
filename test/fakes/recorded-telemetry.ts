/** Telemetry that records its calls. */

import type { Fields, Telemetry } from '../../lambda/base/telemetry';
import type { MetricName } from '../../lambda/contract/metrics';

export interface RecordedTelemetry extends Telemetry {
  readonly infos: readonly { readonly message: string; readonly fields: Fields | undefined }[];
  readonly errors: readonly {
    readonly message: string;
    readonly error: unknown;
    readonly fields: Fields | undefined;
  }[];
  readonly counts: readonly {
    readonly metric: MetricName;
    readonly dimensions: Readonly<Record<string, string>> | undefined;
  }[];
  /** Returns how often a metric was counted. */
  counted(metric: MetricName): number;
}

export function createRecordedTelemetry(): RecordedTelemetry {
  const infos: { message: string; fields: Fields | undefined }[] = [];
  const errors: { message: string; error: unknown; fields: Fields | undefined }[] = [];
  const counts: { metric: MetricName; dimensions: Readonly<Record<string, string>> | undefined }[] = [];
  return {
    infos,
    errors,
    counts,
    counted: (name) => counts.filter(({ metric }) => metric === name).length,
    info: (message, fields) => void infos.push({ message, fields }),
    error: (message, error, fields) => void errors.push({ message, error, fields }),
    count: (metric, dimensions?: Readonly<Record<string, string>>) =>
      void counts.push({ metric, dimensions }),
    time: () => undefined,
  };
}
