/** Adds the canary: an alias shifts traffic to new code of a function, and back if the new code fails. */

import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import type { MetricName } from '../../lambda/contract/metrics';

const aliasName = 'live';

/**
 * Gives a tenth of the traffic to new code for five minutes. An alarm ends that when the new version crashes, times
 * out or responds with faults. It counts only that version: a repair must get through while the old version fails.
 * @returns the alias that callers invoke
 */
export function addCanary(lambdaFunction: lambda.Function): lambda.IFunction {
  const currentVersion = lambdaFunction.currentVersion as lambda.IVersion;
  const { version } = currentVersion;
  const alias = new lambda.Alias(lambdaFunction, 'Live', { aliasName, version: currentVersion });
  const { stackName } = lambdaFunction.stack;
  const period = Duration.minutes(1);
  const makeMetricOfMinute = (namespace: string, metricName: string, dimensionsMap: Record<string, string>) =>
    new cloudwatch.Metric({ namespace, metricName, dimensionsMap, statistic: 'Sum', period });
  const dimensions = {
    FunctionName: lambdaFunction.functionName,
    Resource: `${lambdaFunction.functionName}:${aliasName}`,
  };
  const alarm = new cloudwatch.Alarm(lambdaFunction, 'CanaryErrors', {
    // A new version has a new alarm.
    alarmName: `${stackName}-${lambdaFunction.node.id}-canary-${version}`,
    metric: new cloudwatch.MathExpression({
      expression: 'FILL(crashes, 0) + FILL(faults, 0)',
      usingMetrics: {
        crashes: makeMetricOfMinute('AWS/Lambda', 'Errors', { ...dimensions, ExecutedVersion: version }),
        // The function responds to its faults with 500, so Lambda counts no error.
        faults: makeMetricOfMinute(stackName, 'faults' satisfies MetricName, {
          function: lambdaFunction.functionName,
          version,
        }),
      },
      label: 'Failed requests of the new version',
      period,
    }),
    threshold: 3,
    evaluationPeriods: 1,
    treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
    alarmDescription:
      'What to do: nothing at once, as the new version is rolled back. Read the log group of the function before the next deployment.',
  });
  new LambdaDeploymentGroup(lambdaFunction, 'Deployment', {
    alias,
    deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
    alarms: [alarm as cloudwatch.IAlarm],
  });
  // The CDK's classes and interfaces differ in exact optional properties.
  return alias as lambda.IFunction;
}
