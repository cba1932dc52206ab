/** The few alarms worth getting up for, each with a line on what to do. */

import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { invariants } from '../lambda/contract/metrics';
import { pinLogicalId } from './logical-ids';
import { fiveMinutes, sumOf } from './metrics';

interface Trouble {
  readonly id: string;
  readonly metric: IMetric;
  /** The alarm rings above this. */
  readonly above: number;
  /** For so many periods of five minutes in a row. */
  readonly periods: number;
  readonly runbook: string;
}

export class Alarms extends Construct {
  readonly all: readonly Alarm[];

  /** @param sweeper its errors, in five minutes */
  constructor(scope: Construct, id: string, api: RestApi, sweeper: IMetric) {
    super(scope, id);
    this.all = [...troublesOf(api, sweeper)].map((trouble) => this.alarm(trouble));
  }

  private alarm({ id, metric, above, periods, runbook }: Trouble): Alarm {
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

function* troublesOf(api: RestApi, sweeper: IMetric): Generator<Trouble> {
  yield {
    id: 'FailedAnswers',
    // API Gateway counts each answer as 0 or 1, so the average is the share that failed.
    metric: api.metricServerError({ period: fiveMinutes, statistic: 'Average' }),
    above: 0.05,
    periods: 3,
    runbook:
      'More than 5 % of answers fail. Look at the dashboard: one function in error → its log group; providers failing → their status pages and the fallback slots; authorizer in error → the key table.',
  };
  for (const invariant of invariants) {
    yield {
      id: `Broken${invariant.replace(/(^|-)([a-z])/g, (_, __, letter) => letter.toUpperCase())}`,
      metric: sumOf('invariantBroken', { invariant }),
      above: 0,
      periods: 1,
      runbook: `A counter contradicts itself, so someone may be charged wrongly. Search the logs for "${invariant}", read the item named there, and compare taken with held + spent before changing anything.`,
    };
  }
  yield {
    id: 'UnknownCharges',
    metric: sumOf('meterUnknown'),
    above: 50,
    periods: 3,
    runbook:
      'Answers of charges get lost. Check throttling and latency of the quota counters table and the AWS health page; callers are served meanwhile and at worst not charged.',
  };
  yield {
    id: 'FailedRefunds',
    metric: sumOf('refundFailed'),
    above: 20,
    periods: 3,
    runbook:
      'Refunds fail, so callers pay for answers without an image. Check the quota counters table, then the provider failures that made refunds necessary.',
  };
  yield {
    id: 'FailingSweeper',
    metric: sweeper,
    above: 3,
    periods: 2,
    runbook:
      'What crashes leave half done is not settled. Read the log group of the sweeper; charges stay reserved until it runs again, none is lost.',
  };
}
