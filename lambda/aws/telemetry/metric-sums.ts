/** Sums of events and durations, in the embedded metric format of CloudWatch. */

import { isWrittenAtOnce, type MetricName, metricEventsMax, metricIntervalMs } from '../../contract/metrics';

type Dimensions = Readonly<Record<string, string>>;

/** The events or durations of a metric with one set of dimensions. */
interface Series {
  readonly metric: MetricName;
  readonly dimensions: Dimensions;
  count: number;
  readonly durationsMs: number[];
}

/** Most values of one metric in a line. The format sets this limit. */
const valuesMax = 100;

/**
 * Writes a line for each series, at most once a minute while nothing goes wrong. The first event is written
 * at once, later events together. No timer writes, because none runs while Lambda has frozen the instance.
 */
export function createMetricSums(namespace: string, write: (line: string) => void, nowMs: () => number) {
  const sums = new Map<string, Series>();
  let events = 0;
  let lastEventMs = Number.NEGATIVE_INFINITY;
  let writtenMs = Number.NEGATIVE_INFINITY;

  const flush = () => {
    writtenMs = lastEventMs;
    if (events === 0) return;
    for (const series of sums.values())
      write(`${JSON.stringify(writeDocument(series, namespace, lastEventMs))}\n`);
    sums.clear();
    events = 0;
  };
  // A clock that was set back must not delay a line.
  const isMinuteAfter = (ms: number, atMs: number) => Math.abs(atMs - ms) >= metricIntervalMs;

  const add = (metric: MetricName, dimensions: Dimensions = {}, durationMs?: number) => {
    const atMs = nowMs();
    // After a rest of the instance, earlier events are written first, with their own time.
    if (isMinuteAfter(lastEventMs, atMs)) flush();
    lastEventMs = atMs;
    const series = findSeries(sums, metric, dimensions);
    if (durationMs === undefined) series.count += 1;
    else series.durationsMs.push(durationMs);
    events += 1;
    const isFull = events >= metricEventsMax || series.durationsMs.length >= valuesMax;
    if (isFull || isWrittenAtOnce(metric, dimensions) || isMinuteAfter(writtenMs, atMs)) flush();
  };

  return {
    count: (metric: MetricName, dimensions?: Dimensions) => add(metric, dimensions),
    time: (metric: MetricName, durationMs: number, dimensions?: Dimensions) =>
      add(metric, dimensions, durationMs),
    flush,
  };
}

function findSeries(sums: Map<string, Series>, metric: MetricName, dimensions: Dimensions): Series {
  let key: string = metric;
  for (const name in dimensions) key += `\n${name}\n${dimensions[name]}`;
  const knownSeries = sums.get(key);
  if (knownSeries) return knownSeries;
  const series: Series = { metric, dimensions, count: 0, durationsMs: [] };
  sums.set(key, series);
  return series;
}

/**
 * Writes a series in the embedded metric format:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
function writeDocument(
  { metric, dimensions, count, durationsMs }: Series,
  Namespace: string,
  Timestamp: number,
) {
  const isCount = durationsMs.length === 0;
  const Metrics = [{ Name: metric, Unit: isCount ? 'Count' : 'Milliseconds' }];
  const directive = { Namespace, Dimensions: [Object.keys(dimensions)], Metrics };
  const _aws = { Timestamp, CloudWatchMetrics: [directive] };
  return { _aws, ...dimensions, [metric]: isCount ? count : durationsMs };
}
