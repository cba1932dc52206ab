/** The service's own metrics, as the functions write them into their logs. */

import { Duration, Stack } from 'aws-cdk-lib';
import { Metric as CloudWatchMetric, type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';

/** Metrics that the dashboard and the alarms read, each with the dimensions it is counted by. */
export const metrics = {
  requests: ['source', 'cache', 'caller'],
  refusals: ['code'],
  providerFailures: ['provider', 'kind'],
  renditions: ['outcome', 'source'],
  generations: ['outcome'],
  invariantBroken: ['invariant'],
  meterUnknown: [],
  refundFailed: [],
  refunds: [],
} as const satisfies Record<string, readonly string[]>;

export type Metric = keyof typeof metrics;

export const fiveMinutes = Duration.minutes(5);

/** Values of the dimension that says which invariant broke. */
export const invariants = ['taken-is-held-plus-spent', 'settled-once'] as const;

/** Each stack counts under a namespace of its own: dev and prod in one account would ring each other's alarms. */
export function metricNamespace(scope: Construct): string {
  return Stack.of(scope).stackName;
}

/** Sum of a metric with exactly these dimensions: plain enough for an alarm anywhere. */
export function sumOf(
  scope: Construct,
  metric: Metric,
  dimensionsMap: Readonly<Record<string, string>> = {},
  period = fiveMinutes,
): IMetric {
  return new CloudWatchMetric({
    namespace: metricNamespace(scope),
    metricName: metric,
    dimensionsMap: { ...dimensionsMap },
    statistic: 'Sum',
    period,
  });
}

/** One line per combination of the metric's dimensions that has occurred. */
export function byDimension(scope: Construct, metric: Metric): MathExpression {
  const schema = [metricNamespace(scope), ...metrics[metric]].join(',');
  return new MathExpression({
    expression: `SEARCH('{${schema}} MetricName="${metric}"', 'Sum', ${fiveMinutes.toSeconds()})`,
    label: '',
    period: fiveMinutes,
  });
}
