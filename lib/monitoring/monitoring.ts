/** Dashboard and alarms, which notify an e-mail address where one is configured. */

import { Duration, Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import {
  Alarm,
  AlarmStatusWidget,
  Metric as CloudWatchMetric,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { type MetricName, metrics } from '../../lambda/contract/metrics';
import type { ServiceFunction } from '../functions/service-function';
import { pinLogicalId } from '../resources';
import type { Stage } from '../stage';

/** Period of most metrics: shorter ones cost more and say little. */
const period = Duration.minutes(5);

type Functions = Readonly<Record<string, ServiceFunction>>;

/** What an alarm watches, and what to do when it fires. */
interface AlarmRule {
  readonly metric: IMetric;
  /** The alarm fires above this. */
  readonly above: number;
  /** For so many of the metric's periods in a row. */
  readonly periods: number;
  readonly whatToDo: string;
}

/** A topic exists only where the stage has an e-mail address. */
export class Monitoring extends Construct {
  constructor(scope: Construct, { alarmEmail }: Stage, api: RestApi, functions: Functions) {
    super(scope, 'Monitoring');
    const alarms = Object.entries(this.rules(api, functions)).map(([id, rule]) => this.alarm(id, rule));
    if (alarmEmail !== undefined) this.notify(alarms, alarmEmail);
    this.dashboard(alarms, api, Object.values(functions));
  }

  private rules(api: RestApi, functions: Functions): Readonly<Record<string, AlarmRule>> {
    return {
      FailedAnswers: {
        // API Gateway counts each answer as 0 or 1, so the average is the share that failed.
        metric: api.deploymentStage.metricServerError({ period, statistic: 'Average' }),
        above: 0.05,
        periods: 3,
        whatToDo:
          'More than 5 % of answers fail. Look at the dashboard. One function in error: read its log group. Providers failing: their status pages, and the slots behind. Authorizer in error: the table of keys.',
      },
      InternalErrors: {
        // Functions turn faults into answers, so that Lambda counts no error.
        metric: this.sumOf('refusals', { code: 'internal_error' }),
        above: 10,
        periods: 2,
        whatToDo:
          'Callers are answered with internal_error. Search the log group of ApiFunction for "A request failed"; each record holds the fault and its request id.',
      },
      Throttles: {
        metric: throttlesOf(Object.values(functions)),
        above: 0,
        periods: 2,
        whatToDo:
          'Lambda refuses executions because the account runs as many as it may. Compare ConcurrentExecutions with the quota of the account, and ask for a higher one (L-B99A9384).',
      },
      GeneratorErrors: {
        metric: (functions['generator'] as ServiceFunction).metricErrors({ period }),
        above: 3,
        periods: 2,
        whatToDo:
          'AI images are left unfinished. Read the log group of GeneratorFunction; doctor checks the model. Requests for these images make them again.',
      },
      GenerationCeiling: {
        metric: this.sumOf('generationCeiling'),
        above: 0,
        periods: 1,
        whatToDo:
          '80 % or 100 % of the images that may be made in a day, or for one account in a month, have been made; at 100 % no more are until the window ends. The log line "A generation ceiling threshold was reached" says which and whose. Raise generationsPerDay or the generationsPerMonth of the plan, or wait.',
      },
      UnknownCharges: {
        metric: this.sumOf('meterUnknown'),
        above: 50,
        periods: 3,
        whatToDo:
          'Answers of charges get lost. Check throttling and latency of the table of counters and the health page of AWS; callers are served meanwhile and at worst not charged.',
      },
      FailedRefunds: {
        metric: this.sumOf('refundFailed'),
        above: 20,
        periods: 3,
        whatToDo:
          'Refunds fail, so callers pay for answers without an image. Check the table of counters, then the failures of providers that made refunds necessary.',
      },
    };
  }

  private alarm(id: string, { metric, above, periods, whatToDo }: AlarmRule): Alarm {
    const alarm = new Alarm(this, id, {
      metric,
      threshold: above,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: periods,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription: `What to do: ${whatToDo}`,
    });
    pinLogicalId(alarm, `${id}Alarm`);
    return alarm;
  }

  private notify(alarms: readonly Alarm[], email: string): void {
    // Alarms hold no secrets, and a topic with a key of AWS's own cannot be written to by alarms.
    const topic = new Topic(this, 'AlarmTopic', { enforceSSL: true });
    pinLogicalId(topic, 'AlarmTopic');
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
    for (const alarm of alarms) alarm.addAlarmAction(new SnsAction(topic));
  }

  private dashboard(alarms: readonly Alarm[], api: RestApi, functions: readonly ServiceFunction[]): void {
    const dashboard = new Dashboard(this, 'Dashboard');
    pinLogicalId(dashboard, 'Dashboard');
    const answers = api.deploymentStage;
    const half = (title: string, left: IMetric[], right: IMetric[] = []) =>
      new GraphWidget({ title, left, right, width: 12, period });
    const counted = (title: string, ...names: readonly MetricName[]) =>
      half(
        title,
        names.map((name) => this.byDimension(name)),
      );
    dashboard.addWidgets(
      new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 24, height: 3 }),
      counted('Requests by source, cache and caller', 'requests'),
      counted('Refusals by code', 'refusals'),
      half('Answers', [answers.metricCount(), answers.metricClientError(), answers.metricServerError()]),
      half('Latency, ms', [
        answers.metricLatency({ statistic: 'p50' }),
        answers.metricLatency({ statistic: 'p99' }),
      ]),
      half(
        'Function errors, and duration p95 in ms',
        functions.map((fn) => fn.metricErrors({ label: fn.node.id })),
        functions.map((fn) => fn.metricDuration({ statistic: 'p95', label: fn.node.id })),
      ),
      counted('Provider failures', 'providerFailures'),
      counted('Renditions and AI images', 'renditions', 'generations'),
      counted('Money', 'meterUnknown', 'refundFailed', 'refunds'),
    );
  }

  /** Sum of a metric with exactly these dimensions: plain enough for an alarm anywhere. */
  private sumOf(metric: MetricName, dimensionsMap: Record<string, string> = {}): IMetric {
    // Each stack counts under a namespace of its own: dev and prod in one account would set off each other's alarms.
    const namespace = Stack.of(this).stackName;
    return new CloudWatchMetric({ namespace, metricName: metric, dimensionsMap, statistic: 'Sum', period });
  }

  /** One line per combination of the metric's dimensions that has occurred. */
  private byDimension(metric: MetricName): MathExpression {
    const schema = [Stack.of(this).stackName, ...metrics[metric]].join(',');
    return new MathExpression({
      expression: `SEARCH('{${schema}} MetricName="${metric}"', 'Sum', ${period.toSeconds()})`,
      label: '',
      period,
    });
  }
}

/** Executions that Lambda refused, of all functions together. */
function throttlesOf(functions: readonly ServiceFunction[]): IMetric {
  const throttles = functions.map((fn, i) => [`t${i}`, fn.metricThrottles({ period })] as const);
  return new MathExpression({
    expression: 'SUM(METRICS())',
    usingMetrics: Object.fromEntries(throttles),
    period,
    label: 'Throttles of all functions',
  });
}
