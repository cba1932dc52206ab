/** The function behind the image routes. */

import { Grant } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { acknowledge } from '../resources';
import type { IpHashSecret, SignerSecret } from '../stores/secrets';
import type { Generator } from './generator';
import type { Renderer } from './renderer';
import { ServiceFunction, type Stores } from './service-function';

interface RedirectProps extends Stores {
  readonly ipHashSecret: IpHashSecret;
  readonly signerSecret: SignerSecret;
  readonly renderer: Renderer;
  readonly generator: Generator;
}

/** The function behind every image URL; it shifts to new code by a canary. */
export class Redirect extends ServiceFunction {
  constructor(scope: Construct, props: RedirectProps) {
    const { stage, tables } = props;
    const description = 'Answers image requests with a redirect';
    super(scope, 'redirect', { stage, tables, description, shifts: true });
    props.imageLibrary.grantDeliver(this);
    props.imageLibrary.grantSearch(this);
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
    Grant.addToPrincipal({
      grantee: this,
      actions: ['events:PutEvents'],
      resourceArns: [
        this.stack.formatArn({ service: 'events', resource: 'event-bus', resourceName: busName }),
      ],
    });
  }
}
