/** The alarms on which a deployment in progress is rolled back for what callers see. */

import { Duration, Stack } from 'aws-cdk-lib';
import { Alarm, type IMetric, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { pinLogicalId } from './logical-ids';
import { sumOf } from './metrics';
import type { Stage } from './stage';

const minute = Duration.minutes(1);

/**
 * A function that answers its faults never counts an error in Lambda, so that the errors of the functions alone would
 * let bad code pass.
 */
export class CanaryAlarms extends Construct {
  readonly all: readonly Alarm[];

  constructor(scope: Construct, stage: Stage) {
    super(scope, 'CanaryAlarms');
    this.all = [
      this.alarm(
        'CanaryInternalErrors',
        sumOf(this, 'refusals', { code: 'internal_error' }, minute),
        5,
        'Callers are answered with internal_error while new code is tried. Read the log group of the redirect function.',
      ),
      this.alarm(
        'CanaryFailedAnswers',
        // By name: a reference to the API would close a circle, as the API waits for the functions, and they for this.
        new Metric({
          namespace: 'AWS/ApiGateway',
          metricName: '5XXError',
          dimensionsMap: { ApiName: Stack.of(this).stackName, Stage: stage.name },
          statistic: 'Sum',
          period: minute,
        }),
        10,
        'The stage answers with 5XX while new code is tried. Read the access log for the routes and functions.',
      ),
    ];
  }

  private alarm(id: string, metric: IMetric, threshold: number, runbook: string): Alarm {
    const alarm = new Alarm(this, id, {
      metric,
      threshold,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription: `Runbook: ${runbook}`,
    });
    pinLogicalId(alarm, `${id}Alarm`);
    return alarm;
  }
}
