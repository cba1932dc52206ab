/** Which service an operator's command works on: a local one that runs, or a deployed stack. */

import { type Command, Option } from 'commander';
import { wrongUsage } from './failure';

export interface Place {
  readonly local?: string;
  readonly stack?: string;
  readonly region?: string;
  readonly profile?: string;
}

export interface ServiceOptions extends Place {
  readonly json?: boolean;
}

/** Adds the options that name a service, and the one for JSON. */
export function withServiceOptions(command: Command): Command {
  return command
    .optionsGroup('Options for the service:')
    .addOption(
      new Option('--local <URL>', 'a local service (default: the one that runs)').conflicts([
        'stack',
        'region',
        'profile',
      ]),
    )
    .option('--stack <NAME>', 'a deployed stack, found through CloudFormation')
    .option('--region <NAME>', 'AWS region of the stack (default: as the AWS CLI finds it)')
    .option('--profile <NAME>', 'AWS profile (default: as the AWS CLI finds it)')
    .optionsGroup('Options for the output:')
    .option('--json', 'print one line of JSON on stdout, for scripts');
}

/** @throws `Failure` with the usage code when the options name a place of no stack */
export function placeOf({ local, stack, region, profile }: Place): Place {
  if (stack === undefined && (region ?? profile) !== undefined)
    throw wrongUsage('--region and --profile go with --stack NAME.');
  return {
    ...(local !== undefined && { local }),
    ...(stack !== undefined && { stack }),
    ...(region !== undefined && { region }),
    ...(profile !== undefined && { profile }),
  };
}
