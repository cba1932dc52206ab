/** The API's access log: one JSON line per request, made of a fixed list of fields. */

import { AccessLogFormat, LogGroupLogDestination, type StageOptions } from 'aws-cdk-lib/aws-apigateway';
import { LogGroup, LogGroupClass } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { retentionOf, type Stage } from '../stage';

/**
 * What is logged, and what API Gateway puts in for a known stock image of a caller without a key; `-` for what does not
 * occur. Not among it, on purpose: the query string and the caller's path, which hold keys and search words, and the
 * caller's IP address, which is kept nowhere in the clear.
 */
const fields = {
  requestId: ['$context.requestId', '0f5b6c1e-8f0a-4c43-9d52-6b7a0f3f3a51'],
  time: ['$context.requestTimeEpoch', '1795341600000'],
  method: ['$context.httpMethod', 'GET'],
  route: ['$context.resourcePath', '/api/{proxy+}'],
  status: ['$context.status', '302'],
  responseBytes: ['$context.responseLength', '612'],
  latencyMs: ['$context.responseLatency', '42'],
  functionLatencyMs: ['$context.integration.latency', '21'],
  authorizerLatencyMs: ['$context.authorizer.latency', '12'],
  caller: ['$context.authorizer.caller', 'anonymous'],
  plan: ['$context.authorizer.plan', 'enterprise'],
  keyId: ['$context.authorizer.keyId', 'key_0123456789abcdef'],
  gatewayResponse: ['$context.error.responseType', '-'],
  fault: ['$context.integrationErrorMessage', '-'],
} as const;

const lineOf = (column: 0 | 1) =>
  JSON.stringify(Object.fromEntries(Object.entries(fields).map(([name, values]) => [name, values[column]])));

/** One line of the access log for a known stock image, without its line break. */
export const exampleAccessLogLine = lineOf(1);

/** The stage options that switch the log on. */
export function accessLog(scope: Construct, stage: Stage): StageOptions {
  const logGroup = new LogGroup(scope, 'RequestLog', {
    // Half the price of the standard class, and searched as well by Logs Insights; no metric or alarm can read it.
    logGroupClass: LogGroupClass.INFREQUENT_ACCESS,
    retention: stage.logRetentionDays,
    removalPolicy: retentionOf(stage),
  });
  return {
    accessLogDestination: new LogGroupLogDestination(logGroup),
    accessLogFormat: AccessLogFormat.custom(lineOf(0)),
  };
}
