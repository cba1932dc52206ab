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

/** The alarms. Each is on while its metric is above the threshold for so many periods in a row. */
const alarms = {
  FailedAnswers: {
    trigger: { threshold: 0.05, evaluationPeriods: 3 },
    whatToDo:
      'More than 5 % of requests fail. Look at the errors of each function. One function in error: read its log group. Providers failing: their status pages, and the slots behind. Authorizer in error: the table of keys.',
  },
  InternalErrors: {
    trigger: { threshold: 10, evaluationPeriods: 2 },
    whatToDo:
      'Requests are answered with internal_error. Search the log group of ApiFunction for "A request failed"; each record holds the fault and its request id.',
  },
  Throttles: {
    trigger: { threshold: 0, evaluationPeriods: 2 },
    whatToDo:
      'Lambda refuses executions because the account runs as many as it may. Compare ConcurrentExecutions with the quota of the account, and ask for a higher one (L-B99A9384).',
  },
  GeneratorErrors: {
    trigger: { threshold: 3, evaluationPeriods: 2 },
    whatToDo:
      'AI images are left unfinished. Read the log group of GeneratorFunction; doctor checks the model. Requests for these images make them again.',
  },
  GenerationCeiling: {
    trigger: { threshold: 0, evaluationPeriods: 1 },
    whatToDo:
      '80 % or 100 % of the AI images of the day (generationsPerDay) have been made; at 100 % no more are until midnight UTC. The event "Generation ceiling threshold reached" on the default event bus says which, and "keys usage ACCOUNT" shows the count of an account. Raise generationsPerDay, or wait.',
  },
  UnknownCharges: {
    trigger: { threshold: 50, evaluationPeriods: 3 },
    whatToDo:
      'Answers of charges get lost. Check throttling and latency of the table of counters and the health page of AWS; callers are served meanwhile; at worst an image is not charged, or a miss is.',
  },
  FailedRefunds: {
    trigger: { threshold: 20, evaluationPeriods: 3 },
    whatToDo:
      'Refunds fail, so callers pay for answers without an image. Check the table of counters, then the failures of providers that made refunds necessary.',
  },
};

type AlarmMetrics = Readonly<Record<keyof typeof alarms, cloudwatch.IMetric>>;
type WatchedFunctions = Readonly<Record<'authorizer' | 'api' | 'generator', LambdaFunction>>;

/** Adds the alarms. Without an `alarmEmail` they notify nobody. */
export function addAlarms(scope: Construct, stage: Stage, restApi: RestApi, functions: WatchedFunctions) {
  const topic = stage.alarmEmail === undefined ? undefined : new Topic(scope, 'AlarmTopic');
  topic?.addSubscription(new EmailSubscription(stage.alarmEmail as string));
  // Each stack has its own namespace, so that dev does not set off the alarms of prod in the same account.
  const metrics = makeAlarmMetrics(Stack.of(scope).stackName, restApi, functions);
  for (const [name, { trigger, whatToDo }] of Object.entries(alarms)) {
    const alarm = new cloudwatch.Alarm(scope, `${name}Alarm`, {
      metric: metrics[name as keyof AlarmMetrics],
      ...trigger,
      comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_THRESHOLD,
      treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
      alarmDescription: `What to do: ${whatToDo}`,
    });
    if (topic) alarm.addAlarmAction(new SnsAction(topic));
  }
}

/** Makes the metric of each alarm. That of `FailedAnswers` is the share of requests that fail, from 0 to 1. */
function makeAlarmMetrics(namespace: string, restApi: RestApi, functions: WatchedFunctions): AlarmMetrics {
  const { authorizer, api, generator } = functions;
  const makeSum = (metricName: MetricName, dimensionsMap: Record<string, string> = {}) =>
    new cloudwatch.Metric({ namespace, metricName, dimensionsMap, statistic: 'Sum', period });
  const refusals = failureCodes.map((code) => [code, makeSum('refusals', { code })] as const);
  // A function that crashes or times out counts no refusal.
  const crashes = { api: api.metricErrors({ period }), authorizer: authorizer.metricErrors({ period }) };
  const failures = { ...crashes, ...Object.fromEntries(refusals) };
  const failureSum = Object.keys(failures).map((name) => `FILL(${name}, 0)`);
  return {
    FailedAnswers: new cloudwatch.MathExpression({
      expression: `(${failureSum.join(' + ')}) / requests`,
      usingMetrics: { ...failures, requests: restApi.deploymentStage.metricCount({ period }) },
      label: 'Share of failed requests',
      period,
    }),
    // Functions respond to faults with 500, so Lambda counts no error.
    InternalErrors: makeSum('refusals', { code: 'internal_error' }),
    // Throttles of the whole account count, because all its functions share its executions.
    Throttles: LambdaFunction.metricAllThrottles({ period }),
    GeneratorErrors: generator.metricErrors({ period }),
    GenerationCeiling: makeSum('generationCeiling'),
    UnknownCharges: makeSum('chargeUnknown'),
    FailedRefunds: makeSum('refundFailed'),
  };
}
