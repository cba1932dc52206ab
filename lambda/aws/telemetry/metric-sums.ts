/** Adds events up, and writes the sums in the embedded metric format of CloudWatch. */

import { isWrittenAtOnce, type MetricName, metricEventsMax, metricIntervalMs } from '../../contract/metrics';

type Dimensions = Readonly<Record<string, string>>;

/**
 * Writes a line for each metric and its dimensions, at most once a minute while nothing goes wrong. The first
 * event is written at once, later events together. No timer writes, because none runs while Lambda has frozen
 * the instance. A duration is not added up: its few lines are written at once.
 */
export function createMetricSums(namespace: string, write: (line: string) => void, nowMs: () => number) {
  const sums = new Map<
    string,
    { readonly metric: MetricName; readonly dimensions: Dimensions; count: number }
  >();
  let events = 0;
  let lastEventMs = Number.NEGATIVE_INFINITY;
  let writtenMs = Number.NEGATIVE_INFINITY;

  const flush = () => {
    writtenMs = lastEventMs;
    for (const { metric, dimensions, count } of sums.values())
      write(writeMetricLine(namespace, { metric, dimensions, value: count }, 'Count', lastEventMs));
    sums.clear();
    events = 0;
  };
  // A clock that was set back must not delay a line.
  const isMinuteAfter = (ms: number, atMs: number) => Math.abs(atMs - ms) >= metricIntervalMs;

  return {
    count(metric: MetricName, dimensions: Dimensions = {}) {
      const atMs = nowMs();
      // After a rest of the instance, earlier events are written first, with their own time.
      if (isMinuteAfter(lastEventMs, atMs)) flush();
      lastEventMs = atMs;
      const key = JSON.stringify([metric, dimensions]);
      const sum = sums.get(key) ?? { metric, dimensions, count: 0 };
      sum.count += 1;
      sums.set(key, sum);
      events += 1;
      const isFull = events >= metricEventsMax;
      if (isFull || isWrittenAtOnce(metric, dimensions) || isMinuteAfter(writtenMs, atMs)) flush();
    },
    time: (metric: MetricName, durationMs: number, dimensions: Dimensions) =>
      write(writeMetricLine(namespace, { metric, dimensions, value: durationMs }, 'Milliseconds', nowMs())),
    flush,
  };
}

/**
 * Writes a value in the embedded metric format:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
function writeMetricLine(
  namespace: string,
  { metric, dimensions, value }: { metric: MetricName; dimensions: Dimensions; value: number },
  Unit: 'Count' | 'Milliseconds',
  Timestamp: number,
): string {
  const Metrics = [{ Name: metric, Unit }];
  const directive = { Namespace: namespace, Dimensions: [Object.keys(dimensions)], Metrics };
  const _aws = { Timestamp, CloudWatchMetrics: [directive] };
  return `${JSON.stringify({ _aws, ...dimensions, [metric]: value })}\n`;
}
