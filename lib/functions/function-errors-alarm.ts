/** The alarm that a function ended in an error, which a deployment in progress is rolled back on. */

import { Duration } from 'aws-cdk-lib';
import { Alarm, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';

/** Fires when a function or alias crashed or timed out twice within a minute; expected refusals are no errors. */
export function functionErrorsAlarm(scope: Construct, id: string, target: IFunction): Alarm {
  return new Alarm(scope, id, {
    metric: target.metricErrors({ period: Duration.minutes(1) }),
    threshold: 2,
    evaluationPeriods: 1,
    treatMissingData: TreatMissingData.NOT_BREACHING,
    alarmDescription:
      'The function crashed or timed out. Runbook: read its log group for the request ids and errors.',
  });
}
