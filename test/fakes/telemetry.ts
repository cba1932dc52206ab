/** Use these where code counts or logs: `quiet` drops it, `createRecordedTelemetry` keeps it for the test. */

import type { Fields, Telemetry } from '../../lambda/base/telemetry';
import type { MetricName } from '../../lambda/contract/metrics';

export function createRecordedTelemetry() {
  const infos: { message: string; fields: Fields | undefined }[] = [];
  const errors: { message: string; error: unknown; fields: Fields | undefined }[] = [];
  const counts: { metric: MetricName; dimensions: Readonly<Record<string, string>> | undefined }[] = [];
  const telemetry: Telemetry = {
    info: (message, fields) => void infos.push({ message, fields }),
    error: (message, error, fields) => void errors.push({ message, error, fields }),
    count: (metric, dimensions?: Readonly<Record<string, string>>) =>
      void counts.push({ metric, dimensions }),
    time: () => undefined,
  };
  /** Returns how often a metric was counted. */
  const countRecorded = (name: MetricName) => counts.filter(({ metric }) => metric === name).length;
  return { ...telemetry, infos, errors, counts, countRecorded };
}

export const quiet: Telemetry = createRecordedTelemetry();
