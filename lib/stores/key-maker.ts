/** The function that makes keys while the stack is deployed, so that none stands in the template, and publishes the client package. */

import { execFileSync } from 'node:child_process';
import { basename, join } from 'node:path';
import type { CustomResource } from 'aws-cdk-lib';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { clientPackagePath, packProgram } from '../client-package';
import { DeployTimeFunction } from '../deploy-time/deploy-time-function';
import { publishedFileType } from '../deploy-time/signing-key/publish-file';
import type { Stage } from '../stage';
import type { GeneratedSecret } from './secrets';

/** Makes each key once: a secret that holds one keeps it. */
export class KeyMaker extends DeployTimeFunction {
  /** @param purpose what the keys are for */
  constructor(scope: Construct, id: string, stage: Stage, purpose: string) {
    super(
      scope,
      id,
      stage,
      'signingKey',
      `Makes the key pairs for ${purpose} while the stack is deployed`,
      (folder) => execFileSync(process.execPath, [packProgram, join(folder, basename(clientPackagePath()))]),
    );
  }

  /** Has the key in a secret made; the resource's attribute is `PublicKeyPem`, or `CertificatePem` where one is asked for. */
  keyIn(
    { secretArn }: GeneratedSecret,
    logicalId: string,
    properties: Readonly<Record<string, string>> = {},
  ): CustomResource {
    this.allow(['secretsmanager:GetSecretValue', 'secretsmanager:PutSecretValue'], [secretArn]);
    return this.customResource(logicalId, 'SigningKeyPair', { SecretId: secretArn, ...properties });
  }

  /** Has the client package put into the image bucket. */
  publishClient(bucket: IBucket): CustomResource {
    const path = clientPackagePath();
    this.allow(['s3:PutObject'], [bucket.arnForObjects(path)]);
    return this.customResource('ClientPackage', publishedFileType, {
      Bucket: bucket.bucketName,
      Path: path,
    });
  }
}
