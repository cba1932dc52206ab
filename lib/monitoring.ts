/** The alarms, which notify an e-mail address where one is configured. */

import { Duration, Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { FunctionName } from '../lambda/contract/functions';
import type { MetricName } from '../lambda/contract/metrics';
import type { Stage } from './stage';

/** Shorter ones cost more and say little. */
const period = Duration.minutes(5);

/** Fires when a metric is above a value for so many periods in a row, and says what to do then. */
type AlarmRule = readonly [name: string, metric: IMetric, above: number, periods: number, whatToDo: string];

/** A topic exists only where the stage has an e-mail address. */
export function addAlarms(
  scope: Construct,
  { alarmEmail }: Stage,
  api: RestApi,
  functions: Readonly<Record<FunctionName, LambdaFunction>>,
): void {
  const topic = alarmEmail === undefined ? undefined : addTopic(scope, alarmEmail);
  for (const [name, metric, threshold, evaluationPeriods, whatToDo] of rulesOf(scope, api, functions)) {
    const alarm = new Alarm(scope, `${name}Alarm`, {
      metric,
      threshold,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription: `What to do: ${whatToDo}`,
    });
    if (topic) alarm.addAlarmAction(new SnsAction(topic));
  }
}

function rulesOf(
  scope: Construct,
  api: RestApi,
  functions: Readonly<Record<FunctionName, LambdaFunction>>,
): readonly AlarmRule[] {
  // Each stack counts under a namespace of its own: dev and prod in one account would set off each other's alarms.
  const namespace = Stack.of(scope).stackName;
  const sumOf = (metricName: MetricName, dimensionsMap: Record<string, string> = {}) =>
    new Metric({ namespace, metricName, dimensionsMap, statistic: 'Sum', period });
  const throttles = new MathExpression({
    expression: 'SUM(METRICS())',
    usingMetrics: Object.fromEntries(
      Object.values(functions).map((fn, i) => [`t${i}`, fn.metricThrottles({ period })]),
    ),
    period,
    label: 'Throttles of all functions',
  });
  return [
    [
      'FailedAnswers',
      // API Gateway counts each answer as 0 or 1, so the average is the share that failed.
      api.deploymentStage.metricServerError({ period, statistic: 'Average' }),
      0.05,
      3,
      'More than 5 % of answers fail. Look at the errors of each function. One function in error: read its log group. Providers failing: their status pages, and the slots behind. Authorizer in error: the table of keys.',
    ],
    [
      'InternalErrors',
      // Functions turn faults into answers, so that Lambda counts no error.
      sumOf('refusals', { code: 'internal_error' }),
      10,
      2,
      'Callers are answered with internal_error. Search the log group of ApiFunction for "A request failed"; each record holds the fault and its request id.',
    ],
    [
      'Throttles',
      throttles,
      0,
      2,
      'Lambda refuses executions because the account runs as many as it may. Compare ConcurrentExecutions with the quota of the account, and ask for a higher one (L-B99A9384).',
    ],
    [
      'GeneratorErrors',
      functions.generator.metricErrors({ period }),
      3,
      2,
      'AI images are left unfinished. Read the log group of GeneratorFunction; doctor checks the model. Requests for these images make them again.',
    ],
    [
      'GenerationCeiling',
      sumOf('generationCeiling'),
      0,
      1,
      '80 % or 100 % of the images that may be made in a day, or for one account in a month, have been made; at 100 % no more are until the window ends. The log line "A generation ceiling threshold was reached" says which and whose. Raise generationsPerDay or the generationsPerMonth of the plan, or wait.',
    ],
    [
      'UnknownCharges',
      sumOf('meterUnknown'),
      50,
      3,
      'Answers of charges get lost. Check throttling and latency of the table of counters and the health page of AWS; callers are served meanwhile and at worst not charged.',
    ],
    [
      'FailedRefunds',
      sumOf('refundFailed'),
      20,
      3,
      'Refunds fail, so callers pay for answers without an image. Check the table of counters, then the failures of providers that made refunds necessary.',
    ],
  ];
}

/** Alarms hold no secrets, and a topic with a key of AWS's own cannot be written to by alarms. */
function addTopic(scope: Construct, email: string): Topic {
  const topic = new Topic(scope, 'AlarmTopic', { enforceSSL: true });
  // A policy of its own replaces the one that would let alarms publish.
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': topic.stack.account } },
    }),
  );
  topic.addSubscription(new EmailSubscription(email));
  return topic;
}
