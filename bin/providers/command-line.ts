/** Reads the command line of the tool, and holds its help. */

import { wrongUsage } from '../operator/failure';
import { type OptionDefinition, optionLines, readOptions } from '../operator/options';
import { type Place, placeIn, placeOptions } from '../operator/place';

const definitions = {
  'no-check': { type: 'boolean', help: 'ask no provider: show what is known without' },
  ...placeOptions,
  json: { type: 'boolean', help: 'one line of JSON on stdout, for scripts' },
  help: { type: 'boolean', help: 'show this' },
} as const satisfies Record<string, OptionDefinition>;

export interface CommandLine {
  readonly place: Place;
  readonly isChecked: boolean;
  readonly isJson: boolean;
  readonly wantsHelp: boolean;
}

export const help = `Shows which provider answers for each stock slot, and whether it can: its key, what is left of
its budget, and whether it rests after failures. Each provider is asked one small question, which
counts in its budget.

  npm run providers -- [options]

Options
${optionLines(definitions)}

Examples
  npm run providers
  npm run providers -- --stack ImageRedirect-prod --profile ops
  npm run -s providers -- --no-check --json | jq '.slots[] | select(.serves | not)'

Exit codes
  0 every slot can serve · 1 failed · 2 wrong usage · 3 no such stack
  5 service or AWS not reachable · 6 some slot cannot serve now
`;

/** @throws `Failure` with the usage code */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { values, positionals } = readOptions(args, definitions);
  if (positionals.length > 0)
    throw wrongUsage(`"${positionals[0]}" is not understood: this tool takes options only. See --help.`);
  return {
    place: placeIn(values),
    isChecked: values['no-check'] !== true,
    isJson: values['json'] === true,
    wantsHelp: values['help'] === true,
  };
}
