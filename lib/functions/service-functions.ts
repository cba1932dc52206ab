/** Adds the functions of the service, with their environment, secrets, and the right to invoke a model. */

import { Duration, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { CfnFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { type FunctionName, functionMemoryMb, nameFunctionId } from '../../lambda/contract/functions';
import { readFoundationModel } from '../../lambda/contract/generators';
import { functionTimeoutsS } from '../../lambda/contract/timeouts';
import { generatorSettings } from '../../lambda/functions/generator/settings';
import * as functions from '../../lambda/services/settings';
import type { Stage } from '../stage';
import { findFunctionEntry } from './bundle';
import { addFunction } from './function';

const settings: Readonly<Record<FunctionName, object>> = {
  authorizer: functions.authorizerSettings,
  api: functions.apiSettings,
  renderer: functions.rendererSettings,
  generator: generatorSettings,
};

/** The variables that lead a function in SAM's container to local endpoints. SAM replaces declared variables only. */
const samVariables = [
  ...['DYNAMODB', 'LAMBDA', 'S3', 'SECRETS_MANAGER'].map((id) => `AWS_ENDPOINT_URL_${id}`),
  ...['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_REGION'],
];

/**
 * Adds a function with the environment variables that its settings name. It may read the secrets among them.
 * @param values by the names of the variables; `undefined` for one that the stage does not set
 * @param secrets by the names of the variables that hold their ids
 */
export function addServiceFunction(
  scope: Construct,
  name: FunctionName,
  stage: Stage,
  values: Readonly<Record<string, string | undefined>>,
  secrets: Readonly<Record<string, ISecret | undefined>>,
): LambdaFunction {
  const variables = Object.keys(settings[name]);
  const environment: Record<string, string> = {};
  for (const variable of variables) {
    const value = secrets[variable]?.secretArn ?? values[variable];
    // For SAM every variable is declared. Functions treat an empty variable as absent.
    if (value !== undefined || stage.sam) environment[variable] = value ?? '';
  }
  const serviceFunction = addFunction(scope, nameFunctionId(name), stage, findFunctionEntry(name), {
    memorySize: functionMemoryMb[name],
    timeout: Duration.seconds(functionTimeoutsS[name]),
    environment,
  });
  // An override, as the CDK refuses names that Lambda reserves.
  const cfnFunction = serviceFunction.node.defaultChild as CfnFunction;
  for (const variable of stage.sam ? samVariables : [])
    cfnFunction.addPropertyOverride(`Environment.Variables.${variable}`, '');
  for (const variable of variables) secrets[variable]?.grantRead(serviceFunction);
  return serviceFunction;
}

/** Lets a function invoke the stage's model, if it is a model of Amazon Bedrock. */
export function grantModel(lambdaFunction: LambdaFunction, stage: Stage): void {
  const { generator } = stage;
  if (generator.kind !== 'bedrock-stability') return;
  const { partition, account } = Stack.of(lambdaFunction);
  const bedrock = `arn:${partition}:bedrock`;
  const resources = [
    // Any region: an inference profile chooses the one in which the model runs.
    `${bedrock}:*::foundation-model/${readFoundationModel(generator.modelId)}`,
    `${bedrock}:${generator.region}:${account}:inference-profile/${generator.modelId}`,
  ];
  lambdaFunction.addToRolePolicy(new PolicyStatement({ actions: ['bedrock:InvokeModel'], resources }));
  // The first call of a Marketplace model makes the account's agreement with the provider of the model.
  // Marketplace actions name no resources, so the condition limits them to calls by Bedrock.
  lambdaFunction.addToRolePolicy(
    new PolicyStatement({
      actions: ['aws-marketplace:Subscribe', 'aws-marketplace:ViewSubscriptions'],
      resources: ['*'],
      conditions: { StringEquals: { 'aws:CalledViaLast': 'bedrock.amazonaws.com' } },
    }),
  );
}
