/** The function that has AI images made, one at a time, and stores them. */

import type { Construct } from 'constructs';
import { variables } from '../../lambda/contract/environment';
import { generatorFacts } from '../../lambda/contract/generators';
import { grantModel } from './grant-model';
import type { NodeFunction } from './node-function';
import { ServiceFunction, type Stores } from './service-function';

/** Invoked asynchronously, never twice for one event. */
export class Generator extends ServiceFunction {
  constructor(scope: Construct, { stage, tables, imageLibrary, providerSecrets }: Stores) {
    super(scope, 'generator', {
      stage,
      tables,
      description: 'Has AI images made and settles what they cost',
      concurrency: stage.generatorConcurrency,
    });
    // A repeated event would find the work claimed and end; what crashed is healed by the next request or the sweeper.
    this.configureAsyncInvoke({ retryAttempts: 0 });
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
