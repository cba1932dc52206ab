/** Adds the key maker, a function that makes keys during a deployment, so that no key is in the template. */

import { CustomResource, Duration, RemovalPolicy, type Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import { deployTimeoutsS } from '../../lambda/contract/timeouts';
import { addFunction } from '../functions/function';
import type { Stage } from '../stage';
import type { Secrets, SecretsByVersion } from '../stores/secrets';
import type { KeyProperties } from './main';

/**
 * Adds the key maker, which fills each secret with a key once. A secret that holds a key keeps it.
 * @returns the resource on which users of keys and of API Gateway's log role depend. Its attributes are `PublicKeyV1`
 * and so on, `Certificates` (all, as PEM), and `Hash`: the SHA-256 of `HashedSecret` in hexadecimal.
 */
export function addKeyMaker(scope: Stack, stage: Stage, secrets: Secrets): CustomResource {
  const { urlKeys, contentKeys, addresses } = secrets;
  const maker = addFunction(scope, 'KeyMakerFunction', stage, 'lib/key-maker/main.ts', {
    memorySize: 256,
    timeout: Duration.seconds(deployTimeoutsS.function),
  });
  for (const secret of [...urlKeys.values(), ...contentKeys.values()]) {
    secret.grantRead(maker);
    secret.grantWrite(maker);
  }
  if (stage.edge) addresses.grantRead(maker);
  const logPolicy = 'service-role/AmazonAPIGatewayPushToCloudWatchLogs';
  const logRole = new iam.Role(scope, 'KeyMakerGatewayLogRole', {
    assumedBy: new iam.ServicePrincipal('apigateway.amazonaws.com'),
    managedPolicies: [iam.ManagedPolicy.fromAwsManagedPolicyName(logPolicy)],
  });
  // An account that had no role keeps this one, because other APIs may use it by then.
  logRole.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
  logRole.grantPassRole(maker.grantPrincipal);
  maker.addToRolePolicy(
    new iam.PolicyStatement({
      actions: ['apigateway:GET', 'apigateway:PATCH'],
      resources: [scope.formatArn({ service: 'apigateway', account: '', resource: '/account' })],
    }),
  );
  const listArns = (secrets: SecretsByVersion) =>
    Object.fromEntries([...secrets].map(([version, { secretArn }]) => [`V${version}`, secretArn]));
  const keys = new CustomResource(scope, 'Keys', {
    resourceType: 'Custom::Keys',
    serviceToken: maker.functionArn,
    serviceTimeout: Duration.seconds(deployTimeoutsS.service),
    properties: {
      UrlKeys: listArns(urlKeys),
      ContentKeys: listArns(contentKeys),
      LogRole: logRole.roleArn,
      ...(stage.edge && { HashedSecret: addresses.secretArn }),
    } satisfies KeyProperties,
  });
  // Without this, a custom resource does not wait for the policy of its function.
  keys.node.addDependency(maker);
  return keys;
}
