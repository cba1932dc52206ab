/** The alarms that call for action, each with a runbook. */

import { Duration } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { NodeFunction } from '../functions/node-function';
import { pinLogicalId } from '../resources';
import type { Stage } from '../stage';
import { fiveMinutes, sumOf } from './metrics';

/** What an alarm watches, and what to do when it fires. */
interface AlarmRule {
  readonly id: string;
  readonly metric: IMetric;
  /** The alarm fires above this. */
  readonly above: number;
  /** For so many of the metric's periods in a row. */
  readonly periods: number;
  readonly runbook: string;
}

/** What is watched. */
export interface Watched {
  readonly stage: Stage;
  readonly api: RestApi;
  readonly functions: readonly NodeFunction[];
}

/** Alarms that notify nothing yet, each with its runbook as description. */
export class Alarms extends Construct {
  readonly all: readonly Alarm[];

  constructor(scope: Construct, id: string, props: Watched) {
    super(scope, id);
    this.all = [...rulesOf(this, props)].map((rule) => this.alarm(rule));
  }

  private alarm({ id, metric, above, periods, runbook }: AlarmRule): Alarm {
    const alarm = new Alarm(this, id, {
      metric,
      threshold: above,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: periods,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription: `Runbook: ${runbook}`,
    });
    pinLogicalId(alarm, `${id}Alarm`);
    return alarm;
  }
}

function* rulesOf(scope: Construct, { stage, api, functions }: Watched): Generator<AlarmRule> {
  yield {
    id: 'FailedAnswers',
    // API Gateway counts each answer as 0 or 1, so the average is the share that failed.
    metric: api.deploymentStage.metricServerError({ period: fiveMinutes, statistic: 'Average' }),
    above: 0.05,
    periods: 3,
    runbook:
      'More than 5 % of answers fail. Look at the dashboard. One function in error: its log group. Providers failing: their status pages and the fallback slots. Authorizer in error: the key table.',
  };
  yield {
    id: 'InternalErrors',
    // Functions turn faults into answers, so that Lambda counts no error.
    metric: sumOf(scope, 'refusals', { code: 'internal_error' }),
    above: 10,
    periods: 2,
    runbook:
      'Callers are answered with internal_error. Search the log group of the redirect function for "A request failed"; each record holds the fault and its request id.',
  };
  yield {
    id: 'Throttles',
    metric: throttlesOf(functions),
    above: 0,
    periods: 2,
    runbook:
      'Lambda refuses executions because the account runs as many as it may. Compare ConcurrentExecutions with the account quota, ask for a higher one (quota L-B99A9384), or reserve some with generatorConcurrency. The metric shed counts requests that were refused rather than left waiting.',
  };
  yield {
    id: 'GenerationCeiling',
    metric: sumOf(scope, 'generationCeiling'),
    above: 0,
    periods: 1,
    runbook:
      '80 % or 100 % of the images that may be generated in a day, or for one account in a month, have been made; at 100 % no more are until the window ends. The event, and the log line "A generation ceiling threshold was reached", say which and whose. Raise generationsPerDay or the plan\'s generationsPerMonth, or wait.',
  };
  yield {
    id: 'UnknownCharges',
    metric: sumOf(scope, 'meterUnknown'),
    above: 50,
    periods: 3,
    runbook:
      'Answers of charges get lost. Check throttling and latency of the quota counters table and the AWS health page; callers are served meanwhile and at worst not charged.',
  };
  yield {
    id: 'FailedRefunds',
    metric: sumOf(scope, 'refundFailed'),
    above: 20,
    periods: 3,
    runbook:
      'Refunds fail, so callers pay for answers without an image. Check the quota counters table, then the provider failures that made refunds necessary.',
  };
  yield {
    id: 'ManyGenerations',
    metric: sumOf(scope, 'generations', { outcome: 'ready' }, Duration.hours(1)),
    above: stage.generationsPerHourAlarm,
    periods: 1,
    runbook:
      'More AI images are made in an hour than generationsPerHourAlarm allows; each costs what docs/cost.md says. See which accounts grow with the keys command, and lower generationsPerMonth of their plan or revoke a key.',
  };
}

/** Executions that Lambda refused, of all functions together. */
function throttlesOf(functions: readonly NodeFunction[]): IMetric {
  const throttles = functions.map((fn, i) => [`t${i}`, fn.metricThrottles({ period: fiveMinutes })] as const);
  return new MathExpression({
    expression: 'SUM(METRICS())',
    usingMetrics: Object.fromEntries(throttles),
    period: fiveMinutes,
    label: 'Throttles of all functions',
  });
}
