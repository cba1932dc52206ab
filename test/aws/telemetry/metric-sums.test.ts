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

/** Reads documents as CloudWatch does: series by name, dimensions and unit, with their values. */
function readAsCloudWatch(documents: readonly Document[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const document of documents)
    for (const { Dimensions, Metrics } of document._aws.CloudWatchMetrics)
      for (const names of Dimensions)
        for (const { Name, Unit } of Metrics) {
          const key = keyOf(Name, Object.fromEntries(names.map((name) => [name, document[name]])), Unit);
          found.set(key, [...(found.get(key) ?? []), ...[document[Name] as number | number[]].flat()]);
        }
  return found;
}

const keyOf = (metric: string, dimensions: object, unit: string) =>
  JSON.stringify([metric, Object.entries(dimensions).sort(), unit]);

const total = (values: readonly number[] = []) => values.reduce((sum, value) => sum + value, 0);

const served = (source: string) => ({ source, cache: 'HIT', caller: 'live' });

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
    fc.record({
      metric: fc.constant<MetricName>('generatorLatency'),
      dimensions: fc.record({ generator: fc.constantFrom('sandbox', 'other') }),
      durationMs: fc.nat(40_000),
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
      const counted = new Map<string, number[]>();
      let events = 0;
      for (const { event, times, pauseMs } of steps) {
        advance(pauseMs);
        const { metric, dimensions, durationMs } = event as typeof event & { durationMs?: number };
        for (let i = 0; i < times; i++) {
          events += 1;
          if (durationMs === undefined) sums.count(metric, dimensions);
          else sums.time(metric, durationMs, dimensions);
          const key = keyOf(metric, dimensions, durationMs === undefined ? 'Count' : 'Milliseconds');
          counted.set(key, [...(counted.get(key) ?? []), durationMs ?? 1]);
        }
        const written = [...readAsCloudWatch(documents)].map(([key, values]) =>
          key.endsWith('"Count"]') ? total(values) : values.length,
        );
        expect(events - total(written)).toBeLessThan(metricEventsMax);
        if (isWrittenAtOnce(metric, dimensions)) expect(total(written)).toBe(events);
      }
      sums.flush();
      const found = readAsCloudWatch(documents);
      expect([...found.keys()].sort()).toEqual([...counted.keys()].sort());
      for (const [key, values] of counted)
        if (key.endsWith('"Count"]')) expect([key, total(found.get(key))]).toEqual([key, total(values)]);
        else expect([key, found.get(key)]).toEqual([key, values]);
      for (const document of documents)
        for (const value of Object.values(document))
          if (Array.isArray(value)) expect(value.length).toBeLessThanOrEqual(100);
    }),
    { numRuns: 60 },
  );
});

test('events within a minute of the first one are written as one line', () => {
  const { sums, documents, advance } = start();
  sums.count('requests', served('stock_a'));
  expect(documents).toHaveLength(1);
  for (let i = 0; i < 59; i++) {
    advance(1_000);
    sums.count('requests', served('stock_a'));
  }
  expect(documents).toHaveLength(1);
  advance(1_000);
  sums.count('requests', served('stock_a'));
  expect(documents.map(({ requests }) => requests)).toEqual([1, 60]);
  expect(documents[1]?._aws.Timestamp).toBe(startMs + 60_000);
});

test.each<[MetricName, Readonly<Record<string, string>>]>([
  ['refusals', { code: 'internal_error' }],
  ['faults', {}],
  ['refundFailed', {}],
  ['chargeUnknown', {}],
  ['generationCeiling', {}],
  ['generations', { outcome: 'ready' }],
])('%s %j is written at once together with the sums before it', (metric, dimensions) => {
  const { sums, documents } = start();
  for (let i = 0; i < 3; i++) sums.count('requests', served('stock_a'));
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
