/** Rights that are on no resource of the stack: the account's executions, its event bus, a model on Amazon Bedrock. */

import { Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { foundationModelOf, generatorFacts } from '../../lambda/contract/generators';
import { acknowledge } from '../resources';
import type { Stage } from '../stage';
import type { ServiceFunction } from './service-function';

/** To read how many executions the account has, by which waiting is bounded. */
export function grantReadExecutions(fn: ServiceFunction): void {
  fn.addToRolePolicy(new PolicyStatement({ actions: ['lambda:GetAccountSettings'], resources: ['*'] }));
  acknowledge(fn.executionRole, {
    'AwsSolutions-IAM5[Resource::*]':
      'lambda:GetAccountSettings has no resource to name; it reads two limits of the account.',
  });
}

/** To announce accounts that come near their limit. */
export function grantAnnounce(fn: ServiceFunction, eventBusName: string): void {
  EventBus.fromEventBusName(fn, 'EventBus', eventBusName).grantPutEventsTo(fn);
}

/** To have images made by the stage's model, where it is one of Amazon Bedrock. */
export function grantModel(fn: ServiceFunction, { generator }: Stage): void {
  const model = generatorFacts(generator).bedrockModel;
  if (!model) return;
  const { partition, account } = Stack.of(fn);
  const bedrock = `arn:${partition}:bedrock`;
  const foundationModel = foundationModelOf(model.modelId);
  const isProfile = foundationModel !== model.modelId;
  const resources = isProfile
    ? [
        `${bedrock}:${model.region}:${account}:inference-profile/${model.modelId}`,
        `${bedrock}:*::foundation-model/${foundationModel}`,
      ]
    : [`${bedrock}:${model.region}::foundation-model/${model.modelId}`];
  // The second says, after a refusal, whether the model is being retired.
  const actions = ['bedrock:InvokeModel', 'bedrock:GetFoundationModel'];
  fn.addToRolePolicy(new PolicyStatement({ actions, resources }));
  // The first call of a model that is sold in the Marketplace makes the account's agreement with its provider.
  fn.addToRolePolicy(
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
    ...(isProfile && {
      [`AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:bedrock:*::foundation-model/${foundationModel}]`]:
        'The inference profile decides in which of its regions the model runs.',
    }),
  });
}
