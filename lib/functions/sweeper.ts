/** The function that finishes, every minute, what a crash left half done, and removes images that nothing names. */

import { Duration } from 'aws-cdk-lib';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Construct } from 'constructs';
import { orphanSearchIntervalMs, sweepIntervalMs } from '../../lambda/contract/timeouts';
import type { SweepEvent } from '../../lambda/generation/sweep-event';
import { pinLogicalId } from '../resources';
import { ServiceFunction, type Stores } from './service-function';

/** Runs by a schedule, alone. */
export class Sweeper extends ServiceFunction {
  constructor(scope: Construct, { stage, tables, imageLibrary }: Stores) {
    const description = 'Settles charges and images that a crash left half done';
    super(scope, 'sweeper', { stage, tables, description });
    imageLibrary.grantDiscard(this);
    const everyMinute = new Rule(this, 'EveryMinute', {
      schedule: Schedule.rate(Duration.millis(sweepIntervalMs)),
      targets: [new LambdaFunction(this, { retryAttempts: 0 })],
    });
    pinLogicalId(everyMinute, 'SweeperSchedule');
    const everyHour = new Rule(this, 'EveryHour', {
      schedule: Schedule.rate(Duration.millis(orphanSearchIntervalMs)),
      targets: [
        new LambdaFunction(this, {
          retryAttempts: 0,
          event: RuleTargetInput.fromObject({ orphans: true } satisfies SweepEvent),
        }),
      ],
    });
    pinLogicalId(everyHour, 'OrphanSearchSchedule');
  }
}
