/** The API's access log: one JSON line per request, with a fixed list of fields. */

import { AccessLogFormat, LogGroupLogDestination, type StageOptions } from 'aws-cdk-lib/aws-apigateway';
import { LogGroup, LogGroupClass } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { retentionOf, type Stage } from '../stage';

/**
 * The fields of a line. Query string and path are left out, because they hold keys and search words. The IP
 * address is left out too, because no log keeps it in the clear.
 */
const fields = {
  requestId: '$context.requestId',
  time: '$context.requestTimeEpoch',
  method: '$context.httpMethod',
  route: '$context.resourcePath',
  status: '$context.status',
  responseBytes: '$context.responseLength',
  latencyMs: '$context.responseLatency',
  functionLatencyMs: '$context.integration.latency',
  authorizerLatencyMs: '$context.authorizer.latency',
  caller: '$context.authorizer.caller',
  plan: '$context.authorizer.plan',
  keyId: '$context.authorizer.keyId',
  gatewayResponse: '$context.error.responseType',
  fault: '$context.integrationErrorMessage',
} as const;

/** Adds the log group, and returns the options that make the API write into it. */
export function addAccessLog(scope: Construct, stage: Stage): StageOptions {
  const logGroup = new LogGroup(scope, 'RequestLog', {
    // Half the price of the standard class. Logs Insights searches it; metrics and alarms cannot read it.
    logGroupClass: LogGroupClass.INFREQUENT_ACCESS,
    retention: stage.logRetentionDays,
    removalPolicy: retentionOf(stage),
  });
  return {
    accessLogDestination: new LogGroupLogDestination(logGroup),
    accessLogFormat: AccessLogFormat.custom(JSON.stringify(fields)),
  };
}
