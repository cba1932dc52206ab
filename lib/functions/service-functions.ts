/** The functions of the service, as the contract describes them, each with its environment and the rights that are on no resource of the stack. */

import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { CfnFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { type FunctionName, functionIdOf, functionMemoryMb } from '../../lambda/contract/functions';
import { foundationModelOf } from '../../lambda/contract/generators';
import { functionTimeoutsS } from '../../lambda/contract/timeouts';
import { generatorSettings } from '../../lambda/functions/generator/settings';
import * as functions from '../../lambda/functions/settings';
import type { Stage } from '../stage';
import { entryOf } from './bundle';
import { addFunction } from './function';

/** The environment variables that each function reads, by their names. */
const settings: Readonly<Record<FunctionName, object>> = {
  authorizer: functions.authorizerSettings,
  api: functions.apiSettings,
  renderer: functions.rendererSettings,
  generator: generatorSettings,
};

/** Endpoints that a function in a container of SAM is told, and that a deployed one never has. */
const samEndpoints = ['DYNAMODB', 'LAMBDA', 'S3', 'SECRETS_MANAGER'].map(
  (service) => `AWS_ENDPOINT_URL_${service}`,
);
/** The credentials by which these know it: without a declaration SAM passes on its own. Lambda reserves the names. */
const samCredentials = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_REGION'];

/**
 * Makes one, with the variables that its settings name and no others; it may read the secrets whose ids are among them.
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
  const read = Object.keys(settings[name]);
  const environment: Record<string, string> = {};
  for (const variable of stage.sam ? [...read, ...samEndpoints] : read) {
    const value = secrets[variable]?.secretArn ?? values[variable];
    // SAM replaces only what a template declares; an empty variable counts as absent.
    if (value !== undefined || stage.sam) environment[variable] = value ?? '';
  }
  const made = addFunction(scope, functionIdOf(name), stage, {
    entry: entryOf(name),
    memoryMb: functionMemoryMb[name],
    timeoutS: functionTimeoutsS[name],
    environment,
  });
  for (const variable of stage.sam ? samCredentials : [])
    (made.node.defaultChild as CfnFunction).addPropertyOverride(`Environment.Variables.${variable}`, '');
  for (const variable of read) secrets[variable]?.grantRead(made);
  return made;
}

/** Lets a function have images made by the stage's model, where it is one of Amazon Bedrock. */
export function grantModel(fn: LambdaFunction, stage: Stage): void {
  const { generator } = stage;
  if (generator.kind !== 'bedrock-stability') return;
  const { partition, account } = Stack.of(fn);
  const bedrock = `arn:${partition}:bedrock`;
  const resources = [
    // An inference profile decides in which of its regions the model runs.
    `${bedrock}:*::foundation-model/${foundationModelOf(generator.modelId)}`,
    `${bedrock}:${generator.region}:${account}:inference-profile/${generator.modelId}`,
  ];
  fn.addToRolePolicy(new PolicyStatement({ actions: ['bedrock:InvokeModel'], resources }));
  // The first call of a model that is sold in the Marketplace makes the account's agreement with its provider. The
  // Marketplace knows no resources; Bedrock alone may use it, for a model that this role may invoke.
  fn.addToRolePolicy(
    new PolicyStatement({
      actions: ['aws-marketplace:Subscribe', 'aws-marketplace:ViewSubscriptions'],
      resources: ['*'],
      conditions: { StringEquals: { 'aws:CalledViaLast': 'bedrock.amazonaws.com' } },
    }),
  );
}
