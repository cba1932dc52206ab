/** The function that finds out who asks, before anything else runs. */

import type { Construct } from 'constructs';
import { variables } from '../../lambda/contract/environment';
import { functionMemoryMb } from '../../lambda/contract/functions';
import { functionTimeoutsS } from '../../lambda/contract/timeouts';
import type { Stage } from '../stage';
import type { ApiKeys } from '../stores/api-keys';
import { tierKeyValues } from '../tier-keys';
import { entryOf } from './bundle';
import { NodeFunction } from './node-function';

export interface AuthorizerProps {
  readonly stage: Stage;
  readonly apiKeys: ApiKeys;
}

export class Authorizer extends NodeFunction {
  constructor(scope: Construct, { stage, apiKeys }: AuthorizerProps) {
    super(scope, 'AuthorizerFunction', {
      stage,
      entry: entryOf('authorizer'),
      description: 'Resolves the API key of a request to its account, plan and tier',
      memoryMb: functionMemoryMb.authorizer,
      timeoutS: functionTimeoutsS.authorizer,
      ...(stage.authorizerConcurrency === undefined ? {} : { concurrency: stage.authorizerConcurrency }),
      shifts: true,
    });
    apiKeys.grantFind(this);
    this.addEnvironment(variables.tierKeys, this.stack.toJsonString(tierKeyValues(this.stack)));
  }
}
