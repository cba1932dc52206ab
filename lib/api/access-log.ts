/** The API's access log: one JSON line per request, made of a fixed list of fields. */

import { AccessLogFormat, LogGroupLogDestination, type StageOptions } from 'aws-cdk-lib/aws-apigateway';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { pinLogicalId } from '../logical-ids';
import { retentionOf } from '../retention';
import type { Stage } from '../stage';

/**
 * What is logged. Not among them, on purpose: the query string and the caller's path, which hold keys and search
 * words, and the caller's IP address, which is kept nowhere in the clear.
 */
const accessLogFields = {
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

/** The stage options that switch the log on. */
export function accessLog(scope: Construct, stage: Stage): StageOptions {
  const logGroup = new LogGroup(scope, 'AccessLog', {
    retention: stage.logRetentionDays,
    removalPolicy: retentionOf(stage),
  });
  pinLogicalId(logGroup, 'AccessLog');
  return {
    accessLogDestination: new LogGroupLogDestination(logGroup),
    accessLogFormat: AccessLogFormat.custom(JSON.stringify(accessLogFields)),
  };
}
