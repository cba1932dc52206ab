/** Lambda functions with the defaults of this stack: Node 24, an own role and log group, JSON logs. */

import { Duration } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  ApplicationLogLevel,
  Architecture,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { pinLogicalId } from '../resources';
import { retentionOf, type Stage } from '../stage';
import { functionCode } from './function-code';

/** One function; MB and seconds as Lambda takes them. */
export interface NodeFunctionProps {
  readonly stage: Stage;
  /** Source file that exports `handler`, relative to the project. */
  readonly entry: string;
  readonly description: string;
  /** Puts further files beside the code; it is given the folder of the bundle. */
  readonly addFiles?: (folder: string) => void;
  readonly memoryMb: number;
  readonly timeoutS: number;
}

/** The construct's id is its logical id. */
export class NodeFunction extends LambdaFunction {
  readonly executionRole: Role;

  constructor(scope: Construct, id: string, props: NodeFunctionProps) {
    const { stage, entry, addFiles, memoryMb, timeoutS } = props;
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      retention: stage.logRetentionDays,
      removalPolicy: retentionOf(stage),
    });
    // Without a role of our own, CDK attaches a managed policy that may write to every log group of the account.
    const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    super(scope, id, {
      code: functionCode(scope, { entry, architecture: stage.architecture, addFiles }),
      handler: 'main.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: stage.architecture === 'arm64' ? Architecture.ARM_64 : Architecture.X86_64,
      description: props.description,
      memorySize: memoryMb,
      timeout: Duration.seconds(timeoutS),
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      systemLogLevelV2: SystemLogLevel.WARN,
    });
    this.executionRole = role;
    pinLogicalId(this, id);
    pinLogicalId(role, `${id}Role`);
    pinLogicalId(logGroup, `${id}Logs`);
  }
}
