/** The function behind `/api/usage`. */

import type { Construct } from 'constructs';
import { variables } from '../../lambda/contract/environment';
import { functionMemoryMb } from '../../lambda/contract/functions';
import { functionTimeoutsS } from '../../lambda/contract/timeouts';
import { asciiJson } from '../ascii-json';
import type { Stage } from '../stage';
import type { ApiKeys } from '../stores/api-keys';
import type { QuotaCounters } from '../stores/quota-counters';
import { entryOf } from './bundle';
import { NodeFunction } from './node-function';

export interface UsageProps {
  readonly stage: Stage;
  readonly apiKeys: ApiKeys;
  readonly quotaCounters: QuotaCounters;
}

export class Usage extends NodeFunction {
  constructor(scope: Construct, { stage, apiKeys, quotaCounters }: UsageProps) {
    super(scope, 'UsageFunction', {
      stage,
      entry: entryOf('usage'),
      description: 'Tells an account what it used',
      memoryMb: functionMemoryMb.usage,
      timeoutS: functionTimeoutsS.usage,
      shifts: true,
      environment: { [variables.plans]: asciiJson(stage.plans) },
    });
    quotaCounters.grantReport(this);
    apiKeys.grantList(this);
  }
}
