/** Adds Lambda functions with the defaults of this stack: Node 24, one role and log group each, JSON logs. */

import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AssetHashType, type AssetOptions, DockerImage } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { functionNodeVersion } from '../../lambda/contract/functions';
import { getRemovalPolicy, type Stage } from '../stage';
import { bundleFunction, importsSharp, projectRoot } from './bundle';

/** Adds a function. @param entry source file that exports `handler`, relative to the project */
export function addFunction(
  scope: Construct,
  id: string,
  stage: Stage,
  entry: string,
  options: lambda.FunctionOptions,
): lambda.Function {
  const { architecture } = stage;
  const logGroup = new LogGroup(scope, `${id}Logs`, {
    retention: stage.logRetentionDays,
    removalPolicy: getRemovalPolicy(stage),
  });
  // By default the CDK attaches a managed policy that may write to every log group of the account.
  const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  logGroup.grantWrite(role);
  const asset = makeAssetOptions(`${entry} ${architecture}`, (folder) => {
    if (importsSharp(bundleFunction(entry, folder))) installSharp(folder, architecture);
  });
  return new lambda.Function(scope, id, {
    ...options,
    code: lambda.Code.fromAsset(projectRoot, asset),
    handler: 'main.handler',
    runtime: new lambda.Runtime(`nodejs${functionNodeVersion}.x`, lambda.RuntimeFamily.NODEJS),
    architecture: architecture === 'arm64' ? lambda.Architecture.ARM_64 : lambda.Architecture.X86_64,
    role,
    logGroup,
    loggingFormat: lambda.LoggingFormat.JSON,
    applicationLogLevelV2: lambda.ApplicationLogLevel.INFO,
    systemLogLevelV2: lambda.SystemLogLevel.WARN,
  });
}

/**
 * Makes the options of an asset whose files synthesis writes. The CDK skips it when it needs no code, as in tests.
 * @param key tells the asset from all others
 * @param make writes the files of the asset into an absolute folder
 */
export function makeAssetOptions(key: string, make: (folder: string) => void): AssetOptions {
  return {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      command: [key],
      local: {
        tryBundle: (folder) => {
          make(folder);
          return true;
        },
      },
      // The type requires an image. It is never used, because `tryBundle` always succeeds.
      image: DockerImage.fromRegistry('none'),
    },
  };
}

/** Paths in the lock file: sharp, its dependencies, and its libraries for all platforms. */
const sharpPaths = /^node_modules\/(sharp$|sharp\/|@img\/|@emnapi\/|detect-libc$|semver$|tslib$)/;

/**
 * Installs sharp beside a bundle, in the locked version, with the native library for the functions' processor.
 * @throws `Error` with npm's words when a package cannot be fetched, or differs from the lock's hash
 */
function installSharp(folder: string, processor: Stage['architecture']): void {
  const { packages } = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8'));
  const manifest = { dependencies: { sharp: packages['node_modules/sharp'].version } };
  const sharpPackages = Object.entries(packages).filter(([path]) => sharpPaths.test(path));
  const lock = { lockfileVersion: 3, packages: { '': manifest, ...Object.fromEntries(sharpPackages) } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  const platform = ['--os=linux', `--cpu=${processor === 'arm64' ? 'arm64' : 'x64'}`, '--libc=glibc'];
  const options = ['--ignore-scripts', '--no-bin-links', '--no-audit', '--prefer-offline', ...platform];
  execFileSync('npm', ['ci', ...options], { cwd: folder, stdio: 'pipe' });
  // The file names the registry, so that the hash of the asset would differ between machines.
  rmSync(join(folder, 'node_modules/.package-lock.json'));
}
