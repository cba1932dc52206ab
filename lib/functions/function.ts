/** The defaults of all Lambda functions of this stack: Node 24, one role and log group each, JSON logs. */

import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { retentionOf, type Stage } from '../stage';
import { bundleFunction, importsSharp } from './bundle';
import { createBundledAsset } from './bundled-asset';
import { addNativeSharp } from './native-sharp';

/** Adds a function. @param entry source file that exports `handler`, relative to the project */
export function addFunction(
  scope: Construct,
  id: string,
  stage: Stage,
  entry: string,
  options: lambda.FunctionOptions,
): lambda.Function {
  const { architecture } = stage;
  const logGroup = new LogGroup(scope, `${id}Logs`, {
    retention: stage.logRetentionDays,
    removalPolicy: retentionOf(stage),
  });
  // By default the CDK attaches a managed policy that may write to every log group of the account.
  const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  logGroup.grantWrite(role);
  const { path, ...asset } = createBundledAsset(`${entry} ${architecture}`, (folder) => {
    if (importsSharp(bundleFunction(entry, folder))) addNativeSharp(folder, architecture);
  });
  return new lambda.Function(scope, id, {
    ...options,
    code: lambda.Code.fromAsset(path, asset),
    handler: 'main.handler',
    runtime: lambda.Runtime.NODEJS_24_X,
    architecture: architecture === 'arm64' ? lambda.Architecture.ARM_64 : lambda.Architecture.X86_64,
    role,
    logGroup,
    loggingFormat: lambda.LoggingFormat.JSON,
    applicationLogLevelV2: lambda.ApplicationLogLevel.INFO,
    systemLogLevelV2: lambda.SystemLogLevel.WARN,
  });
}
