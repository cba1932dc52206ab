/** The function that makes keys while the stack is deployed, so that none stands in the template, and publishes the files that everybody may fetch. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CustomResource, Duration, RemovalPolicy } from 'aws-cdk-lib';
import { ManagedPolicy, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { deployTimeoutsS } from '../lambda/contract/timeouts';
import { missingFileCard } from '../lambda/http/error-card';
import { clientPackagePath, packProgram } from './client-package';
import { examplePaths, examplesProgram } from './example-images';
import { NodeFunction } from './functions/node-function';
import type { KeyProperties } from './key-maker/keys';
import { missingFileCardPath } from './missing-file-card';
import { acknowledge, bucketFindings, pinLogicalId } from './resources';
import type { Stage } from './stage';
import type { Secrets } from './stores/secrets';

/** Makes each key once: a secret that holds one keeps it. */
export class KeyMaker extends NodeFunction {
  /** Key pairs, certificates, and the role by which API Gateway writes logs: what needs one of them waits for this. */
  readonly keys: CustomResource;

  constructor(
    scope: Construct,
    private readonly stage: Stage,
    secrets: Secrets,
  ) {
    super(scope, 'KeyMakerFunction', {
      stage,
      entry: 'lib/key-maker/main.ts',
      description: 'Makes keys and publishes files while the stack is deployed',
      memoryMb: 256,
      timeoutS: deployTimeoutsS.function,
      addFiles: addPublicFiles,
    });
    const { urlKeys, contentKeys, addresses } = secrets;
    for (const secret of [...urlKeys.values(), ...contentKeys.values()]) {
      secret.grantRead(this);
      secret.grantWrite(this);
    }
    if (stage.edge) addresses.grantRead(this);
    const arns = (of: Secrets['urlKeys']) =>
      Object.fromEntries([...of].map(([version, { secretArn }]) => [`V${version}`, secretArn]));
    this.keys = this.customResource('Keys', {
      UrlKeys: arns(urlKeys),
      ContentKeys: arns(contentKeys),
      LogRole: this.gatewayLogRole().roleArn,
      ...(stage.edge && { HashedSecret: addresses.secretArn }),
    } satisfies KeyProperties);
  }

  /** Public key (PEM) of a version that signs URLs. */
  publicKey(version: number): string {
    return this.keys.getAttString(`PublicKeyV${version}`);
  }

  /** Certificates (PEM) of all versions by which AI images are checked, one below the other. */
  get certificates(): string {
    return this.keys.getAttString('Certificates');
  }

  /** SHA-256 of the secret by which a distribution before the API proves itself, in hexadecimal digits. */
  get edgeHash(): string {
    return this.keys.getAttString('Hash');
  }

  /**
   * Has the client package, the example pictures and the card put into the image bucket. The CDK's own BucketDeployment
   * does the same by a function in Python with a layer, which not every emulated account runs.
   */
  publishFiles(bucket: IBucket): CustomResource {
    bucket.grantPut(this, 'public/*');
    bucket.grantDelete(this, this.stage.keepsData ? 'public/*' : '*');
    if (!this.stage.keepsData) bucket.grantRead(this);
    acknowledge(this.executionRole, {
      ...bucketFindings,
      'AwsSolutions-IAM5[Resource::<ImageBucket.Arn>/public/*]': 'The files that everybody may fetch.',
      'AwsSolutions-IAM5[Resource::<ImageBucket.Arn>/*]':
        'It empties this one bucket when a stack goes that does not keep its data.',
    });
    return this.customResource('PublicFiles', {
      Bucket: bucket.bucketName,
      Paths: [clientPackagePath(), missingFileCardPath(), ...examplePaths().values()],
      EmptiesBucket: String(!this.stage.keepsData),
    });
  }

  /** Set for the account where none is, and never removed: other APIs of the account may write their logs by it, too. */
  private gatewayLogRole(): Role {
    const role = new Role(this, 'GatewayLogRole', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      managedPolicies: [
        ManagedPolicy.fromAwsManagedPolicyName('service-role/AmazonAPIGatewayPushToCloudWatchLogs'),
      ],
    });
    role.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
    pinLogicalId(role, 'GatewayLogRole');
    acknowledge(role, {
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]':
        "The account's role for API Gateway logs takes the policy that AWS made for exactly this.",
    });
    role.grantPassRole(this.executionRole);
    this.executionRole.addToPrincipalPolicy(
      new PolicyStatement({
        actions: ['apigateway:GET', 'apigateway:PATCH'],
        resources: [this.stack.formatArn({ service: 'apigateway', account: '', resource: '/account' })],
      }),
    );
    return role;
  }

  /** Has it called when CloudFormation makes, changes or deletes the resource. */
  private customResource(logicalId: string, properties: Readonly<Record<string, unknown>>): CustomResource {
    const made = new CustomResource(this.node.scope as Construct, logicalId, {
      resourceType: `Custom::${logicalId}`,
      serviceToken: this.functionArn,
      serviceTimeout: Duration.seconds(deployTimeoutsS.service),
      properties,
    });
    pinLogicalId(made, logicalId);
    // The policy must be there before the function is called, and a custom resource does not wait for it by itself.
    made.node.addDependency(this);
    return made;
  }
}

/** Puts the files beside the code, each at its path. */
function addPublicFiles(folder: string): void {
  const [clientPackage, card] = [clientPackagePath(), missingFileCardPath()].map((path) =>
    join(folder, path),
  );
  mkdirSync(dirname(clientPackage as string), { recursive: true });
  writeFileSync(card as string, missingFileCard());
  execFileSync(process.execPath, [packProgram, clientPackage as string]);
  execFileSync(process.execPath, ['--no-warnings', '--import', 'tsx', examplesProgram, folder]);
}
