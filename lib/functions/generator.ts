/** The function that has AI images made, one at a time, and stores them. */

import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { variables } from '../../lambda/contract/environment';
import { generatorFacts } from '../../lambda/contract/generators';
import { generatorEventAgeS } from '../../lambda/contract/timeouts';
import { grantModel } from './grant-model';
import type { NodeFunction } from './node-function';
import { ServiceFunction, type Stores } from './service-function';

/** Invoked asynchronously, never twice for one event. */
export class Generator extends ServiceFunction {
  constructor(scope: Construct, { stage, tables, imageLibrary, providerSecrets }: Stores) {
    super(scope, 'generator', {
      stage,
      tables,
      description: 'Has AI images made and stores them',
      concurrency: stage.generatorConcurrency,
    });
    // A repeated event would find that a run has begun, and end; what crashed is made again when its lease is over.
    this.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.seconds(generatorEventAgeS) });
    imageLibrary.grantReadMasters(this);
    imageLibrary.grantStoreMasters(this);
    imageLibrary.grantDiscard(this);
    providerSecrets.grantReadForGenerator(this);
    const { bedrockModel } = generatorFacts(stage.generator);
    // The second says, after a refusal, whether the model is being retired.
    if (bedrockModel) grantModel(this, bedrockModel, ['bedrock:InvokeModel', 'bedrock:GetFoundationModel']);
  }

  /** To have images made. */
  grantGenerate(fn: NodeFunction): void {
    this.grantCallAs(fn, variables.generatorFunction);
  }
}
