/** Lets a function invoke one model on Amazon Bedrock. */

import { Grant, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Stack } from 'aws-cdk-lib/core';
import { foundationModelOf, type GeneratorFacts } from '../../lambda/contract/generators';
import { acknowledge } from '../resources';
import type { NodeFunction } from './node-function';

/** @param actions of Bedrock on the model itself; those on the Marketplace come on top */
export function grantModel(
  fn: NodeFunction,
  { region, modelId }: NonNullable<GeneratorFacts['bedrockModel']>,
  actions = ['bedrock:InvokeModel'],
): void {
  const { partition, account } = Stack.of(fn);
  const bedrock = `arn:${partition}:bedrock`;
  const model = foundationModelOf(modelId);
  const behindProfile = model === modelId ? undefined : model;
  const models =
    behindProfile === undefined
      ? [`${bedrock}:${region}::foundation-model/${modelId}`]
      : [
          `${bedrock}:${region}:${account}:inference-profile/${modelId}`,
          `${bedrock}:*::foundation-model/${behindProfile}`,
        ];
  Grant.addToPrincipal({
    grantee: fn,
    actions,
    resourceArns: models,
  });
  // The first call of a model that is sold in the Marketplace makes the account's agreement with its provider.
  fn.executionRole.addToPrincipalPolicy(
    new PolicyStatement({
      actions: ['aws-marketplace:Subscribe', 'aws-marketplace:ViewSubscriptions'],
      // The Marketplace knows no resources; Bedrock alone may use it, for a model that this role may invoke.
      resources: ['*'],
      conditions: { StringEquals: { 'aws:CalledViaLast': 'bedrock.amazonaws.com' } },
    }),
  );
  acknowledge(fn.executionRole, {
    'AwsSolutions-IAM5[Resource::*]':
      'The Marketplace has no resources to name; the condition leaves its use to Bedrock, for the one model.',
    ...(behindProfile !== undefined && {
      [`AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:bedrock:*::foundation-model/${behindProfile}]`]:
        'The inference profile decides in which of its regions the model runs.',
    }),
  });
}
