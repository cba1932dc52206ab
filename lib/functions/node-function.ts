/** Lambda functions with the defaults of this stack: Node 24, an own role and log group, JSON logs, and an alias when the stage has canaries. */

import { Duration } from 'aws-cdk-lib';
import { Alarm, type IAlarm, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { Grant, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  ApplicationLogLevel,
  Architecture,
  type IFunction,
  type IVersion,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { acknowledge, pinLogicalId } from '../resources';
import { retentionOf, type Stage } from '../stage';
import { functionCode } from './function-code';

export interface NodeFunctionProps {
  readonly stage: Stage;
  /** Source file that exports `handler`, relative to the project. */
  readonly entry: string;
  readonly description: string;
  readonly memoryMb: number;
  readonly timeoutS: number;
  /** Most instances at once, taken from what the account may run; absent for no reservation. */
  readonly concurrency?: number;
  /** Whether it draws images, which takes the native library for its processor. */
  readonly draws?: boolean;
  /** Whether callers reach it through an alias that shifts to new code step by step. */
  readonly shifts?: boolean;
}

/** The construct's id is its logical id. */
export class NodeFunction extends LambdaFunction {
  /** What callers invoke: the alias of the canary, or the function itself. */
  readonly live: IFunction;
  readonly executionRole: Role;
  private deployments: LambdaDeploymentGroup | undefined;

  constructor(scope: Construct, id: string, props: NodeFunctionProps) {
    const { stage, entry, memoryMb, timeoutS, draws = false, shifts = false } = props;
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      retention: stage.logRetentionDays,
      removalPolicy: retentionOf(stage),
    });
    // Without a role of our own, CDK attaches a managed policy that may write to every log group of the account.
    const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    super(scope, id, {
      code: functionCode(scope, { entry, draws, architecture: stage.architecture }),
      handler: 'main.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: stage.architecture === 'arm64' ? Architecture.ARM_64 : Architecture.X86_64,
      description: props.description,
      memorySize: memoryMb,
      ...(props.concurrency === undefined ? {} : { reservedConcurrentExecutions: props.concurrency }),
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
    this.live = shifts && stage.canary ? this.canary(id) : this;
  }

  /** Allows another function to invoke this one, and tells it the name in an environment variable. */
  grantCallAs(caller: NodeFunction, variable: string): void {
    caller.addEnvironment(variable, this.live.functionName);
    Grant.addToPrincipal({
      grantee: caller,
      actions: ['lambda:InvokeFunction'],
      resourceArns: [this.live.functionArn],
    });
  }

  /** Rolls a deployment of new code back on these alarms too; without effect where nothing shifts step by step. */
  rollBackOn(alarms: readonly Alarm[]): void {
    for (const alarm of alarms) this.deployments?.addAlarm(alarm as IAlarm);
  }

  private canary(id: string): IFunction {
    const alias = new Alias(this, 'Live', { aliasName: 'live', version: this.currentVersion as IVersion });
    pinLogicalId(alias, `${id}Live`);
    // The CDK's classes and interfaces disagree on exact optional properties.
    const live = alias as IFunction;
    const deployment = new LambdaDeploymentGroup(this, 'Deployment', {
      alias,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      alarms: [functionErrorsAlarm(this, 'CanaryErrors', live)],
    });
    this.deployments = deployment;
    acknowledge(deployment, {
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]':
        'CodeDeploy takes the policy that AWS made for exactly this.',
    });
    return live;
  }
}

/** Fires when a function or alias crashed or timed out twice within a minute; expected refusals are no errors. */
function functionErrorsAlarm(scope: Construct, id: string, target: IFunction): Alarm {
  return new Alarm(scope, id, {
    metric: target.metricErrors({ period: Duration.minutes(1) }),
    threshold: 2,
    evaluationPeriods: 1,
    treatMissingData: TreatMissingData.NOT_BREACHING,
    alarmDescription:
      'The function crashed or timed out. Runbook: read its log group for the request ids and errors.',
  });
}
