/** The function that has AI images made, one at a time, and stores them. */

import { Grant, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { variables } from '../../lambda/contract/environment';
import { type GeneratorFacts, generatorFacts } from '../../lambda/contract/generators';
import { acknowledge } from '../resources';
import type { Stage } from '../stage';
import type { ImageLibrary } from '../stores/image-library';
import type { ProviderSecrets } from '../stores/secrets';
import type { Tables } from '../stores/tables';
import type { NodeFunction } from './node-function';
import { ServiceFunction } from './service-function';

export interface GeneratorProps {
  readonly stage: Stage;
  readonly tables: Tables;
  readonly imageLibrary: ImageLibrary;
  readonly providerSecrets: ProviderSecrets;
}

export class Generator extends ServiceFunction {
  constructor(scope: Construct, props: GeneratorProps) {
    const { stage, tables } = props;
    super(scope, 'generator', {
      stage,
      tables,
      description: 'Has AI images made and settles what they cost',
      concurrency: stage.generatorConcurrency,
      draws: true,
    });
    // A repeated event would find the work claimed and end; what crashed is healed by the next request or the sweeper.
    this.configureAsyncInvoke({ retryAttempts: 0 });
    props.imageLibrary.grantRead(this);
    props.imageLibrary.grantStoreMasters(this);
    props.imageLibrary.grantDiscard(this);
    props.providerSecrets.grantReadForGenerator(this);
    const { bedrockModel } = generatorFacts(stage.generator);
    if (bedrockModel) this.grantModel(bedrockModel);
  }

  /** To have images made. */
  grantGenerate(fn: NodeFunction): void {
    this.grantCallAs(fn, variables.generatorFunction);
  }

  private grantModel({ region, modelId }: NonNullable<GeneratorFacts['bedrockModel']>): void {
    Grant.addToPrincipal({
      grantee: this,
      // The second says, after a refusal, whether the model is being retired.
      actions: ['bedrock:InvokeModel', 'bedrock:GetFoundationModel'],
      resourceArns: [`arn:${this.stack.partition}:bedrock:${region}::foundation-model/${modelId}`],
    });
    // The first call of a model that is sold in the Marketplace makes the account's agreement with its provider.
    this.executionRole.addToPrincipalPolicy(
      new PolicyStatement({
        actions: ['aws-marketplace:Subscribe', 'aws-marketplace:ViewSubscriptions'],
        // The Marketplace knows no resources; Bedrock alone may use it, for a model that this role may invoke.
        resources: ['*'],
        conditions: { StringEquals: { 'aws:CalledViaLast': 'bedrock.amazonaws.com' } },
      }),
    );
    acknowledge(this.executionRole, {
      'AwsSolutions-IAM5[Resource::*]':
        'The Marketplace has no resources to name; the condition leaves its use to Bedrock, for the one model.',
    });
  }
}
