/** Lambda functions with the defaults of this stack: Node 24, an own role and log group, JSON logs, and an alias when the stage has canaries. */

import { Duration } from 'aws-cdk-lib';
import { Alarm, type IAlarm, MathExpression, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
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
import type { MetricName } from '../../lambda/contract/metrics';
import { acknowledge, pinLogicalId } from '../resources';
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
  /** Most instances at once, taken from what the account may run; absent for no reservation. */
  readonly concurrency?: number;
  /** Whether callers reach it through an alias that shifts to new code step by step. */
  readonly shifts?: boolean;
}

/** Name of the alias that callers invoke. */
const liveAlias = 'live';

/** The construct's id is its logical id. */
export class NodeFunction extends LambdaFunction {
  /** What callers invoke: the alias of the canary, or the function itself. */
  readonly live: IFunction;
  readonly executionRole: Role;

  constructor(scope: Construct, id: string, props: NodeFunctionProps) {
    const { stage, entry, addFiles, memoryMb, timeoutS, shifts = false } = props;
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

  private canary(id: string): IFunction {
    const version = this.currentVersion as IVersion;
    const alias = new Alias(this, 'Live', { aliasName: liveAlias, version });
    pinLogicalId(alias, `${id}Live`);
    // The CDK's classes and interfaces disagree on exact optional properties.
    const live = alias as IFunction;
    const deployment = new LambdaDeploymentGroup(this, 'Deployment', {
      alias,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      alarms: [this.canaryAlarm(id, version.version) as IAlarm],
    });
    acknowledge(deployment, {
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]':
        'CodeDeploy takes the policy that AWS made for exactly this.',
    });
    return live;
  }

  /**
   * Fires when the new version crashes, times out or answers faults: it alone, as a version that repairs the service must
   * get through while the old one fails. A new version has an alarm of its own, which has never fired before.
   */
  private canaryAlarm(id: string, version: string): Alarm {
    const { stackName } = this.stack;
    const period = Duration.minutes(1);
    const sum = (namespace: string, metricName: string, dimensionsMap: Record<string, string>) =>
      new Metric({ namespace, metricName, dimensionsMap, statistic: 'Sum', period });
    const dimensions = { FunctionName: this.functionName, Resource: `${this.functionName}:${liveAlias}` };
    return new Alarm(this, 'CanaryErrors', {
      alarmName: `${stackName}-${id}-canary-${version}`,
      metric: new MathExpression({
        expression: 'FILL(crashes, 0) + FILL(faults, 0)',
        usingMetrics: {
          crashes: sum('AWS/Lambda', 'Errors', { ...dimensions, ExecutedVersion: version }),
          // A function turns its faults into answers, so that Lambda counts no error.
          faults: sum(stackName, 'faults' satisfies MetricName, { function: this.functionName, version }),
        },
        label: 'Failed requests of the new version',
        period,
      }),
      threshold: 3,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription:
        'Runbook: the new version fails while a tenth of the traffic tries it, and is rolled back. Read the log group of the function.',
    });
  }
}
