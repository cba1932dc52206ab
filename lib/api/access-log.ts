/** The API's access log: one JSON line per request, made of a fixed list of fields. */

import { AccessLogFormat, LogGroupLogDestination, type StageOptions } from 'aws-cdk-lib/aws-apigateway';
import { LogGroup, LogGroupClass } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { pinLogicalId } from '../resources';
import { retentionOf, type Stage } from '../stage';

/**
 * What is logged. Not among them, on purpose: the query string and the caller's path, which hold keys and search
 * words, and the caller's IP address, which is kept nowhere in the clear.
 */
export const accessLogFields = {
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

/** What API Gateway puts in for a known stock image that is served to a paying caller; `-` for what does not occur. */
const example: Readonly<Record<keyof typeof accessLogFields, string>> = {
  requestId: '0f5b6c1e-8f0a-4c43-9d52-6b7a0f3f3a51',
  time: '1795341600000',
  method: 'GET',
  route: '/api/{proxy+}',
  status: '302',
  responseBytes: '612',
  latencyMs: '42',
  functionLatencyMs: '21',
  authorizerLatencyMs: '12',
  caller: 'anonymous',
  plan: 'enterprise',
  keyId: 'key_0123456789abcdef',
  gatewayResponse: '-',
  fault: '-',
};

/** One line of the access log for a known stock image, without its line break. */
export const exampleAccessLogLine = JSON.stringify(example);

/** The stage options that switch the log on. */
export function accessLog(scope: Construct, stage: Stage): StageOptions {
  const logGroup = new LogGroup(scope, 'RequestLog', {
    // Half the price of the standard class, and searched as well by Logs Insights; no metric or alarm can read it.
    logGroupClass: LogGroupClass.INFREQUENT_ACCESS,
    retention: stage.logRetentionDays,
    removalPolicy: retentionOf(stage),
  });
  pinLogicalId(logGroup, 'RequestLog');
  return {
    accessLogDestination: new LogGroupLogDestination(logGroup),
    accessLogFormat: AccessLogFormat.custom(JSON.stringify(accessLogFields)),
  };
}
