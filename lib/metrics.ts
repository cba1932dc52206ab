/** The service's own metrics as CloudWatch reads them. */

import { Duration } from 'aws-cdk-lib';
import { Metric as CloudWatchMetric, type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { type MetricName, metricNamespace, metrics } from '../lambda/contract/metrics';

export const fiveMinutes = Duration.minutes(5);

/** Sum of a metric with exactly these dimensions: plain enough for an alarm anywhere. */
export function sumOf(metric: MetricName, dimensionsMap: Readonly<Record<string, string>> = {}): IMetric {
  return new CloudWatchMetric({
    namespace: metricNamespace,
    metricName: metric,
    dimensionsMap: { ...dimensionsMap },
    statistic: 'Sum',
    period: fiveMinutes,
  });
}

/** One line per combination of the metric's dimensions that has occurred. */
export function byDimension(metric: MetricName): MathExpression {
  const schema = [metricNamespace, ...metrics[metric]].join(',');
  return new MathExpression({
    expression: `SEARCH('{${schema}} MetricName="${metric}"', 'Sum', ${fiveMinutes.toSeconds()})`,
    label: '',
    period: fiveMinutes,
  });
}
