/** Adds the alarms, and the topic that mails them to the stage's `alarmEmail`. */

import { Duration, Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { failureCodes, type MetricName } from '../lambda/contract/metrics';
import type { Stage } from './stage';

/** The period over which metrics are added up. A shorter one would cost more. */
const period = Duration.minutes(5);

type AlarmLimit = Pick<cloudwatch.AlarmProps, 'threshold' | 'evaluationPeriods'>;

/** Adds the alarms. Without an `alarmEmail` they notify nobody. */
export function addAlarms(
  scope: Construct,
  stage: Stage,
  restApi: RestApi,
  { authorizer, api, generator }: Readonly<Record<'authorizer' | 'api' | 'generator', LambdaFunction>>,
): void {
  const addAlarm = createAlarmAdder(scope, stage);
  // Each stack has its own namespace, so that dev does not set off the alarms of prod in the same account.
  const namespace = Stack.of(scope).stackName;
  const makeSumMetric = (metricName: MetricName, dimensionsMap: Record<string, string> = {}) =>
    new cloudwatch.Metric({ namespace, metricName, dimensionsMap, statistic: 'Sum', period });
  addAlarm(
    'FailedAnswers',
    makeFailureShare(restApi, { api, authorizer }, makeSumMetric),
    { threshold: 0.05, evaluationPeriods: 3 },
    'More than 5 % of requests fail. Look at the errors of each function. One function in error: read its log group. Providers failing: their status pages, and the slots behind. Authorizer in error: the table of keys.',
  );
  addAlarm(
    'InternalErrors',
    // Functions respond to faults with 500, so Lambda counts no error.
    makeSumMetric('refusals', { code: 'internal_error' }),
    { threshold: 10, evaluationPeriods: 2 },
    'Requests are answered with internal_error. Search the log group of ApiFunction for "A request failed"; each record holds the fault and its request id.',
  );
  addAlarm(
    'Throttles',
    // Throttles of the whole account count, because all its functions share its executions.
    LambdaFunction.metricAllThrottles({ period }),
    { threshold: 0, evaluationPeriods: 2 },
    'Lambda refuses executions because the account runs as many as it may. Compare ConcurrentExecutions with the quota of the account, and ask for a higher one (L-B99A9384).',
  );
  addAlarm(
    'GeneratorErrors',
    generator.metricErrors({ period }),
    { threshold: 3, evaluationPeriods: 2 },
    'AI images are left unfinished. Read the log group of GeneratorFunction; doctor checks the model. Requests for these images make them again.',
  );
  addAlarm(
    'GenerationCeiling',
    makeSumMetric('generationCeiling'),
    { threshold: 0, evaluationPeriods: 1 },
    '80 % or 100 % of the AI images of the day (generationsPerDay) have been made; at 100 % no more are until midnight UTC. The event "Generation ceiling threshold reached" on the default event bus says which, and "keys usage ACCOUNT" shows the count of an account. Raise generationsPerDay, or wait.',
  );
  addAlarm(
    'UnknownCharges',
    makeSumMetric('chargeUnknown'),
    { threshold: 50, evaluationPeriods: 3 },
    'Answers of charges get lost. Check throttling and latency of the table of counters and the health page of AWS; callers are served meanwhile; at worst an image is not charged, or a miss is.',
  );
  addAlarm(
    'FailedRefunds',
    makeSumMetric('refundFailed'),
    { threshold: 20, evaluationPeriods: 3 },
    'Refunds fail, so callers pay for answers without an image. Check the table of counters, then the failures of providers that made refunds necessary.',
  );
}

/** Creates a function that adds an alarm, which notifies the `alarmEmail` if there is one. */
function createAlarmAdder(scope: Construct, stage: Stage) {
  const topic = stage.alarmEmail === undefined ? undefined : new Topic(scope, 'AlarmTopic');
  topic?.addSubscription(new EmailSubscription(stage.alarmEmail as string));
  return (name: string, metric: cloudwatch.IMetric, limit: AlarmLimit, whatToDo: string) => {
    const alarm = new cloudwatch.Alarm(scope, `${name}Alarm`, {
      metric,
      ...limit,
      comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_THRESHOLD,
      treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
      alarmDescription: `What to do: ${whatToDo}`,
    });
    if (topic) alarm.addAlarmAction(new SnsAction(topic));
  };
}

/** Makes the metric of the share of requests that fail, from 0 to 1. */
function makeFailureShare(
  restApi: RestApi,
  { api, authorizer }: Readonly<Record<'api' | 'authorizer', LambdaFunction>>,
  makeSumMetric: (metricName: MetricName, dimensionsMap: Record<string, string>) => cloudwatch.IMetric,
): cloudwatch.IMetric {
  // A function that crashes or times out counts no refusal.
  const failures: Record<string, cloudwatch.IMetric> = {
    api: api.metricErrors({ period }),
    authorizer: authorizer.metricErrors({ period }),
  };
  for (const code of failureCodes) failures[code] = makeSumMetric('refusals', { code });
  const failureSum = Object.keys(failures).map((name) => `FILL(${name}, 0)`);
  return new cloudwatch.MathExpression({
    expression: `(${failureSum.join(' + ')}) / requests`,
    usingMetrics: { ...failures, requests: restApi.deploymentStage.metricCount({ period }) },
    label: 'Share of failed requests',
    period,
  });
}
