/** Adds up what an instance counts and measures, and writes it as a line in CloudWatch's embedded metric format. */

import { isWrittenAtOnce, type MetricName, metricEventsMax, metricIntervalMs } from '../../contract/metrics';

type Dimensions = Readonly<Record<string, string>>;

interface MetricSumsOptions {
  /** CloudWatch namespace of all metrics. */
  readonly namespace: string;
  /** Receives each finished line with its line break. */
  readonly write: (line: string) => void;
  readonly nowMs: () => number;
}

interface MetricSums {
  count(metric: MetricName, dimensions?: Dimensions): void;
  time(metric: MetricName, durationMs: number, dimensions?: Dimensions): void;
  /** Writes what has been added up, if there is anything. */
  flush(): void;
}

/** The sum of a metric's events, or its single durations, with one set of dimensions. */
interface Series {
  readonly metric: MetricName;
  readonly dimensions: Dimensions;
  count: number;
  readonly durationsMs: number[];
}

/** Most values of one metric in a line: a limit of the format. */
const valuesMax = 100;

/**
 * Writes at most one line a minute while nothing goes wrong: the first event at once, later ones together. Nothing is
 * written by a timer, which does not run while Lambda has frozen an instance.
 */
export function metricSums({ namespace, write, nowMs }: MetricSumsOptions): MetricSums {
  const sums = new Map<string, Series>();
  let events = 0;
  let lastEventMs = Number.NEGATIVE_INFINITY;
  let writtenMs = Number.NEGATIVE_INFINITY;

  const flush = () => {
    writtenMs = lastEventMs;
    if (events === 0) return;
    for (const document of documentsOf(sums.values(), namespace, lastEventMs))
      write(`${JSON.stringify(document)}\n`);
    sums.clear();
    events = 0;
  };
  // A clock that was set back must not delay a line.
  const isMinuteAfter = (ms: number, atMs: number) => Math.abs(atMs - ms) >= metricIntervalMs;

  const add = (metric: MetricName, dimensions: Dimensions = {}, durationMs?: number) => {
    const atMs = nowMs();
    // What was counted before an instance rested is written with the time of then.
    if (isMinuteAfter(lastEventMs, atMs)) flush();
    lastEventMs = atMs;
    const series = seriesIn(sums, metric, dimensions);
    if (durationMs === undefined) series.count += 1;
    else series.durationsMs.push(durationMs);
    events += 1;
    const isFull = events >= metricEventsMax || series.durationsMs.length >= valuesMax;
    if (isFull || isWrittenAtOnce(metric, dimensions) || isMinuteAfter(writtenMs, atMs)) flush();
  };

  return {
    count: (metric, dimensions) => add(metric, dimensions),
    time: (metric, durationMs, dimensions) => add(metric, dimensions, durationMs),
    flush,
  };
}

function seriesIn(sums: Map<string, Series>, metric: MetricName, dimensions: Dimensions): Series {
  let key: string = metric;
  for (const name in dimensions) key += `\n${name}\n${dimensions[name]}`;
  const existing = sums.get(key);
  if (existing) return existing;
  const series: Series = { metric, dimensions, count: 0, durationsMs: [] };
  sums.set(key, series);
  return series;
}

/**
 * A document has one value for each name, so that only series whose dimensions agree share one.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
function documentsOf(all: Iterable<Series>, Namespace: string, Timestamp: number): readonly object[] {
  const documents: { readonly members: Record<string, unknown>; readonly directives: object[] }[] = [];
  for (const { metric, dimensions, count, durationsMs } of all) {
    const names = Object.keys(dimensions);
    const agrees = (members: Readonly<Record<string, unknown>>) =>
      !(metric in members) && names.every((name) => !(name in members) || members[name] === dimensions[name]);
    const shared = documents.find(({ members }) => agrees(members));
    const document = shared ?? { members: {}, directives: [] };
    if (!shared) documents.push(document);
    const [firstMs] = durationsMs;
    const Unit = firstMs === undefined ? 'Count' : 'Milliseconds';
    const value = firstMs === undefined ? count : durationsMs.length === 1 ? firstMs : durationsMs;
    document.directives.push({ Namespace, Dimensions: [names], Metrics: [{ Name: metric, Unit }] });
    Object.assign(document.members, dimensions, { [metric]: value });
  }
  return documents.map(({ members, directives }) => ({
    _aws: { Timestamp, CloudWatchMetrics: directives },
    ...members,
  }));
}
