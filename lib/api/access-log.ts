/** The API's access log: one JSON line per request, made of a fixed list of fields. */

import { AccessLogFormat, LogGroupLogDestination, type StageOptions } from 'aws-cdk-lib/aws-apigateway';
import { LogGroup, LogGroupClass } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { pinLogicalId } from '../logical-ids';
import { retentionOf } from '../retention';
import type { Stage } from '../stage';
import { accessLogFields } from './access-log-fields';

/** The stage options that switch the log on. */
export function accessLog(scope: Construct, stage: Stage): StageOptions {
  const logGroup = new LogGroup(scope, 'RequestLog', {
    // Half the price of the standard class, and searched as well by Logs Insights; no metric or alarm can read it.
    logGroupClass: LogGroupClass.INFREQUENT_ACCESS,
    retention: stage.logRetentionDays,
    removalPolicy: retentionOf(stage),
  });
  // The class of a log group cannot be changed: this one has another id than the standard one of earlier versions.
  pinLogicalId(logGroup, 'RequestLog');
  return {
    accessLogDestination: new LogGroupLogDestination(logGroup),
    accessLogFormat: AccessLogFormat.custom(JSON.stringify(accessLogFields)),
  };
}
