/** The key maker: a function that makes keys during a deployment, so that no key is in the template. */

import { CustomResource, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { deployTimeoutsS } from '../../lambda/contract/timeouts';
import { addFunction } from '../functions/function';
import type { Stage } from '../stage';
import type { Secrets, SecretsByVersion } from '../stores/secrets';
import type { KeyProperties } from './keys';

/** Fills each secret with a key once. A secret that holds a key keeps it. */
export class KeyMaker extends Construct {
  /** A resource that depends on it finds key pairs, certificates, and API Gateway's role for logs. */
  readonly keys: CustomResource;
  /** Versions of the keys that sign URLs; the last one is in use. */
  readonly urlKeyVersions: readonly number[];

  constructor(scope: Construct, stage: Stage, { urlKeys, contentKeys, addresses }: Secrets) {
    super(scope, 'KeyMaker');
    this.urlKeyVersions = [...urlKeys.keys()];
    const maker = addFunction(scope, 'KeyMakerFunction', stage, 'lib/key-maker/main.ts', {
      memorySize: 256,
      timeout: Duration.seconds(deployTimeoutsS.function),
    });
    for (const secret of [...urlKeys.values(), ...contentKeys.values()]) {
      secret.grantRead(maker);
      secret.grantWrite(maker);
    }
    if (stage.edge) addresses.grantRead(maker);
    const logRole = this.addGatewayLogRole();
    logRole.grantPassRole(maker.grantPrincipal);
    maker.addToRolePolicy(
      new iam.PolicyStatement({
        actions: ['apigateway:GET', 'apigateway:PATCH'],
        resources: [Stack.of(this).formatArn({ service: 'apigateway', account: '', resource: '/account' })],
      }),
    );
    const arnsOf = (secrets: SecretsByVersion) =>
      Object.fromEntries([...secrets].map(([version, { secretArn }]) => [`V${version}`, secretArn]));
    this.keys = new CustomResource(scope, 'Keys', {
      resourceType: 'Custom::Keys',
      serviceToken: maker.functionArn,
      serviceTimeout: Duration.seconds(deployTimeoutsS.service),
      properties: {
        UrlKeys: arnsOf(urlKeys),
        ContentKeys: arnsOf(contentKeys),
        LogRole: logRole.roleArn,
        ...(stage.edge && { HashedSecret: addresses.secretArn }),
      } satisfies KeyProperties,
    });
    // Without this, a custom resource does not wait for the policy of its function.
    this.keys.node.addDependency(maker);
  }

  /** Returns a public key or all certificates, as PEM, or the SHA-256 of `HashedSecret`, in hexadecimal. */
  attribute(name: `PublicKeyV${number}` | 'Certificates' | 'Hash'): string {
    return this.keys.getAttString(name);
  }

  /** Adds the role for an account that has none. It is never removed, because other APIs may use it by then. */
  private addGatewayLogRole(): iam.Role {
    const role = new iam.Role(this, 'GatewayLogRole', {
      assumedBy: new iam.ServicePrincipal('apigateway.amazonaws.com'),
      managedPolicies: [
        iam.ManagedPolicy.fromAwsManagedPolicyName('service-role/AmazonAPIGatewayPushToCloudWatchLogs'),
      ],
    });
    role.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
    return role;
  }
}
