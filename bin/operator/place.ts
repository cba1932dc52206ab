/** Which service an operator's tool works on: a local one that runs, or a deployed stack. */

import { wrongUsage } from './failure';
import type { OptionDefinition, Options } from './options';

/** The options that name it. */
export const placeOptions = {
  local: { type: 'string', value: 'URL', help: 'a local service (default: the one that runs)' },
  stack: { type: 'string', value: 'NAME', help: 'a deployed stack, found through CloudFormation' },
  region: { type: 'string', value: 'NAME', help: 'its AWS region (default: as the AWS CLI finds it)' },
  profile: { type: 'string', value: 'NAME', help: 'AWS profile (default: as the AWS CLI finds it)' },
} as const satisfies Record<string, OptionDefinition>;

export interface Place {
  readonly local?: string;
  readonly stack?: string;
  readonly region?: string;
  readonly profile?: string;
}

/** @throws `Failure` with the usage code when the options name no place, or two */
export function placeIn(values: Options): Place {
  const names = ['local', 'stack', 'region', 'profile'] as const;
  const given = names.filter((name) => values[name] !== undefined);
  if (values['local'] !== undefined && given.length > 1)
    throw wrongUsage(
      '--local is for a local service; --stack, --region and --profile are for a deployed one.',
    );
  if (values['stack'] === undefined && (values['region'] ?? values['profile']) !== undefined)
    throw wrongUsage('--region and --profile go with --stack NAME.');
  return Object.fromEntries(given.map((name) => [name, String(values[name])]));
}
