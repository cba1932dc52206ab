/** Metrics that are added up: exact after any order of events, written at the minute or a thousand. */

import fc from 'fast-check';
import { createMetricSums } from '../../../lambda/aws/telemetry/metric-sums';
import { isWrittenAtOnce, type MetricName, metricEventsMax } from '../../../lambda/contract/metrics';

const startMs = Date.parse('2026-11-22T10:00:00Z');

interface Document {
  readonly _aws: {
    readonly Timestamp: number;
    readonly CloudWatchMetrics: readonly {
      readonly Namespace: string;
      readonly Dimensions: readonly (readonly string[])[];
      readonly Metrics: readonly { readonly Name: string; readonly Unit: string }[];
    }[];
  };
  readonly [member: string]: unknown;
}

function start() {
  let nowMs = startMs;
  const documents: Document[] = [];
  const write = (line: string) => {
    expect(line.indexOf('\n')).toBe(line.length - 1);
    documents.push(JSON.parse(line));
  };
  const sums = createMetricSums('Test', write, () => nowMs);
  const advance = (ms: number) => {
    nowMs += ms;
  };
  return { sums, documents, advance };
}

/** Reads documents as CloudWatch does: the sums by name and dimensions. */
function readAsCloudWatch(documents: readonly Document[]): Map<string, number> {
  const sumsByMetric = new Map<string, number>();
  for (const document of documents)
    for (const { Dimensions, Metrics } of document._aws.CloudWatchMetrics)
      for (const names of Dimensions)
        for (const { Name } of Metrics) {
          const key = getKey(Name, Object.fromEntries(names.map((name) => [name, document[name]])));
          sumsByMetric.set(key, (sumsByMetric.get(key) ?? 0) + Number(document[Name]));
        }
  return sumsByMetric;
}

const getKey = (metric: string, dimensions: object) =>
  JSON.stringify([metric, Object.entries(dimensions).sort()]);

const makeServedDimensions = (source: string) => ({ source, cache: 'HIT', caller: 'live' });

test('metric sums count every event', () => {
  const event = fc.oneof(
    fc.record({
      metric: fc.constant<MetricName>('requests'),
      dimensions: fc.record({
        source: fc.constantFrom('stock_a', 'ai'),
        cache: fc.constantFrom('HIT', 'MISS'),
        caller: fc.constantFrom('live', 'anonymous'),
      }),
    }),
    fc.record({
      metric: fc.constant<MetricName>('refusals'),
      dimensions: fc.record({ code: fc.constantFrom('rate_limited', 'internal_error', 'HIT') }),
    }),
    fc.record({
      metric: fc.constantFrom<MetricName>('renditions'),
      dimensions: fc.record({ outcome: fc.constantFrom('made', 'failed'), source: fc.constant('ai') }),
    }),
    fc.record({
      metric: fc.constantFrom<MetricName>('refunds', 'refundFailed', 'generationCeiling'),
      dimensions: fc.constant({}),
    }),
  );
  const step = fc.record({
    event,
    times: fc.constantFrom(1, 1, 1, 2, 99, 101, 700),
    pauseMs: fc.constantFrom(0, 0, 1, 400, 59_999, 60_000, 900_000, -3_600_000),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const { sums, documents, advance } = start();
      const counted = new Map<string, number>();
      let events = 0;
      for (const { event, times, pauseMs } of steps) {
        advance(pauseMs);
        const { metric, dimensions } = event;
        for (let i = 0; i < times; i++) sums.count(metric, dimensions);
        const key = getKey(metric, dimensions);
        counted.set(key, (counted.get(key) ?? 0) + times);
        events += times;
        const written = [...readAsCloudWatch(documents).values()].reduce((sum, count) => sum + count, 0);
        expect(events - written).toBeLessThan(metricEventsMax);
        if (isWrittenAtOnce(metric, dimensions)) expect(written).toBe(events);
      }
      sums.flush();
      expect(readAsCloudWatch(documents)).toEqual(counted);
    }),
    { numRuns: 60 },
  );
});

test('a duration is written at once in milliseconds', () => {
  const { sums, documents } = start();
  for (const ms of [3, 5]) sums.time('generatorLatency', ms, { generator: 'sandbox' });
  expect(documents).toMatchObject([{ generatorLatency: 3 }, { generatorLatency: 5, generator: 'sandbox' }]);
  expect(documents[0]?._aws.CloudWatchMetrics[0]?.Metrics[0]?.Unit).toBe('Milliseconds');
});

test('events within a minute of the first one are written as one line', () => {
  const { sums, documents, advance } = start();
  sums.count('requests', makeServedDimensions('stock_a'));
  expect(documents).toHaveLength(1);
  for (let i = 0; i < 59; i++) {
    advance(1_000);
    sums.count('requests', makeServedDimensions('stock_a'));
  }
  expect(documents).toHaveLength(1);
  advance(1_000);
  sums.count('requests', makeServedDimensions('stock_a'));
  expect(documents.map(({ requests }) => requests)).toEqual([1, 60]);
  const Metrics = [{ Name: 'requests', Unit: 'Count' }];
  const directive = { Namespace: 'Test', Dimensions: [['source', 'cache', 'caller']], Metrics };
  expect(documents[1]?._aws).toEqual({ Timestamp: startMs + 60_000, CloudWatchMetrics: [directive] });
});

test.each<[MetricName, Readonly<Record<string, string>>]>([
  ['refusals', { code: 'internal_error' }],
  ['faults', {}],
])('the metric %s is written at once with the sums before it', (metric, dimensions) => {
  const { sums, documents } = start();
  for (let i = 0; i < 3; i++) sums.count('requests', makeServedDimensions('stock_a'));
  sums.count(metric, dimensions);
  expect(documents.slice(1)).toMatchObject([{ requests: 2 }, { ...dimensions, [metric]: 1 }]);
});

test.each([
  ['it rested', 600_000],
  ['its clock was set back', -3_600_000],
])('a count keeps its time when the instance writes it after %s', (_, ms) => {
  const { sums, documents, advance } = start();
  sums.count('refunds', {});
  advance(5_000);
  sums.count('refunds', {});
  advance(ms);
  sums.count('refunds', {});
  expect(documents.map(({ _aws, refunds }) => [_aws.Timestamp - startMs, refunds])).toEqual([
    [0, 1],
    [5_000, 1],
    [5_000 + ms, 1],
  ]);
});
