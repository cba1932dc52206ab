/** The function that makes keys while the stack is deployed, so that none stands in the template, and publishes the files that everybody may fetch. */

import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CustomResource } from 'aws-cdk-lib';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { clientPackagePath, packProgram } from '../client-package';
import { DeployTimeFunction } from '../deploy-time/deploy-time-function';
import { publishedFilesType } from '../deploy-time/signing-key/publish-files';
import { examplePaths, examplesProgram } from '../example-images';
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
      addPublicFiles,
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

  /** Has the client package and the example pictures put into the image bucket. */
  publishFiles(bucket: IBucket): CustomResource {
    const paths = [clientPackagePath(), ...examplePaths().values()];
    this.allow(
      ['s3:PutObject', 's3:DeleteObject'],
      paths.map((each) => bucket.arnForObjects(each)),
    );
    return this.customResource('PublicFiles', publishedFilesType, {
      Bucket: bucket.bucketName,
      Paths: paths,
    });
  }
}

/** Puts the files beside the code, each at its path. */
function addPublicFiles(folder: string): void {
  const clientPackage = join(folder, clientPackagePath());
  mkdirSync(dirname(clientPackage), { recursive: true });
  execFileSync(process.execPath, [packProgram, clientPackage]);
  execFileSync(process.execPath, ['--no-warnings', '--import', 'tsx', examplesProgram, folder]);
}
