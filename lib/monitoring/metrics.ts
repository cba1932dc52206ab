/** The service's own metrics as CloudWatch reads them. */

import { Duration, Stack } from 'aws-cdk-lib';
import { Metric as CloudWatchMetric, type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { type MetricName, metrics } from '../../lambda/contract/metrics';

/** Period of most metrics: shorter ones cost more and say little. */
export const fiveMinutes = Duration.minutes(5);

/** Each stack counts under a namespace of its own: dev and prod in one account would set off each other's alarms. */
function namespaceOf(scope: Construct): string {
  return Stack.of(scope).stackName;
}

/** Sum of a metric with exactly these dimensions: plain enough for an alarm anywhere. */
export function sumOf(
  scope: Construct,
  metric: MetricName,
  dimensionsMap: Readonly<Record<string, string>> = {},
  period = fiveMinutes,
): IMetric {
  return new CloudWatchMetric({
    namespace: namespaceOf(scope),
    metricName: metric,
    dimensionsMap: { ...dimensionsMap },
    statistic: 'Sum',
    period,
  });
}

/** One line per combination of the metric's dimensions that has occurred. */
export function byDimension(scope: Construct, metric: MetricName): MathExpression {
  const schema = [namespaceOf(scope), ...metrics[metric]].join(',');
  return new MathExpression({
    expression: `SEARCH('{${schema}} MetricName="${metric}"', 'Sum', ${fiveMinutes.toSeconds()})`,
    label: '',
    period: fiveMinutes,
  });
}
