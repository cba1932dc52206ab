/** The function behind the image routes. */

import { Grant } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { variables } from '../../lambda/contract/environment';
import { functionMemoryMb } from '../../lambda/contract/functions';
import { functionTimeoutsS } from '../../lambda/contract/timeouts';
import { asciiJson } from '../ascii-json';
import { acknowledge } from '../nag';
import { dailyCeilingOf, type Stage } from '../stage';
import { stockVariables } from '../stock-variables';
import type { GenerationIndex } from '../stores/generation-index';
import type { ImageLibrary } from '../stores/image-library';
import type { IpHashSecret } from '../stores/ip-hash-secret';
import type { ProviderSecrets } from '../stores/provider-secrets';
import type { QuotaCounters } from '../stores/quota-counters';
import type { SignerSecret } from '../stores/signer-secret';
import type { Cache, StockMemory } from '../stores/stock-memory';
import { entryOf } from './bundle';
import type { Generator } from './generator';
import { NodeFunction } from './node-function';
import type { Renderer } from './renderer';

export interface RedirectProps {
  readonly stage: Stage;
  readonly quotaCounters: QuotaCounters;
  readonly stockMemory: StockMemory;
  readonly cache: Cache;
  readonly generationIndex: GenerationIndex;
  readonly imageLibrary: ImageLibrary;
  readonly ipHashSecret: IpHashSecret;
  readonly signerSecret: SignerSecret;
  readonly providerSecrets: ProviderSecrets;
  readonly renderer: Renderer;
  readonly generator: Generator;
}

export class Redirect extends NodeFunction {
  constructor(scope: Construct, props: RedirectProps) {
    const { stage } = props;
    const generationsPerDay = dailyCeilingOf(stage);
    super(scope, 'RedirectFunction', {
      stage,
      entry: entryOf('redirect'),
      description: 'Answers image requests with a redirect',
      memoryMb: functionMemoryMb.redirect,
      timeoutS: functionTimeoutsS.redirect,
      shifts: true,
      environment: {
        ...stockVariables(stage),
        [variables.plans]: asciiJson(stage.plans),
        [variables.redirectMaxAge]: String(stage.redirectMaxAgeS),
        [variables.signedCharge]: stage.signedCharge,
        ...(generationsPerDay === undefined
          ? {}
          : { [variables.generationsPerDay]: String(generationsPerDay) }),
        ...(stage.waitingRequestsMax === undefined
          ? {}
          : { [variables.waitingRequestsMax]: String(stage.waitingRequestsMax) }),
        ...(stage.testKeysGenerate ? { [variables.testKeysGenerate]: 'on' } : {}),
      },
    });
    props.quotaCounters.grantCharge(this);
    props.stockMemory.grantUse(this);
    props.cache.grantUse(this);
    props.generationIndex.grantServe(this);
    props.imageLibrary.grantDeliver(this);
    // A request that meets another's overdue charge settles it, and clears away what that one stored.
    props.imageLibrary.grantDiscard(this);
    props.ipHashSecret.grantUse(this);
    props.signerSecret.grantVerify(this);
    props.providerSecrets.grantReadForStock(this);
    props.renderer.grantRender(this);
    props.generator.grantGenerate(this);
    this.grantAnnounce(stage.eventBus);
    this.grantReadExecutions();
  }

  /** To read how many executions the account has, by which waiting is bounded. */
  private grantReadExecutions(): void {
    Grant.addToPrincipal({
      grantee: this,
      actions: ['lambda:GetAccountSettings'],
      // The settings of the account are no resource.
      resourceArns: ['*'],
    });
    acknowledge(this.executionRole, {
      'AwsSolutions-IAM5[Resource::*]':
        'lambda:GetAccountSettings has no resource to name; it reads two limits of the account.',
    });
  }

  /** To announce accounts that come near their limit. */
  private grantAnnounce(busName: string): void {
    this.addEnvironment(variables.eventBus, busName);
    Grant.addToPrincipal({
      grantee: this,
      actions: ['events:PutEvents'],
      resourceArns: [
        this.stack.formatArn({ service: 'events', resource: 'event-bus', resourceName: busName }),
      ],
    });
  }
}
