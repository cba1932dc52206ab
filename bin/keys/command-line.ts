/** Reads the command line: which command, for which service, with which options. */

import { wrongUsage } from '../operator/failure';
import { type OptionDefinition, type Options, readOptions } from '../operator/options';
import { type Place, placeIn, placeOptions } from '../operator/place';
import type { Command } from './command';
import { commands } from './command-table';

/** Options that every command takes. */
export const commonOptions = {
  ...placeOptions,
  json: { type: 'boolean', help: 'one line of JSON on stdout, for scripts' },
  yes: { type: 'boolean', help: 'do not ask before what cannot be undone' },
  help: { type: 'boolean', help: 'show the help of the tool or of a command' },
} as const satisfies Record<string, OptionDefinition>;

export type CommandLine =
  | { readonly kind: 'help'; readonly command?: Command }
  | {
      readonly kind: 'run';
      readonly command: Command;
      readonly positionals: readonly string[];
      readonly options: Options;
      readonly place: Place;
      readonly isJson: boolean;
      readonly isConfirmed: boolean;
    };

/** @throws `Failure` with the usage code */
export function readCommandLine(args: readonly string[]): CommandLine {
  const [name, ...rest] = args;
  if (name === undefined || name === '--help') return { kind: 'help' };
  if (name === 'help') {
    const [topic] = rest;
    return topic === undefined ? { kind: 'help' } : { kind: 'help', command: commandNamed(topic) };
  }
  const command = commandNamed(name);
  const { values, positionals } = readOptions(rest, { ...commonOptions, ...command.options });
  if (values['help']) return { kind: 'help', command };
  if (positionals.length !== command.positionals.length) {
    const wanted = [command.name, ...command.positionals].join(' ');
    throw wrongUsage(`The command is "${wanted}"; it was given ${positionals.length} arguments.`);
  }
  return {
    kind: 'run',
    command,
    positionals,
    options: values,
    place: placeIn(values),
    isJson: values['json'] === true,
    isConfirmed: values['yes'] === true,
  };
}

function commandNamed(name: string): Command {
  const command = commands.find((each) => each.name === name);
  if (!command) {
    const names = commands.map((each) => each.name).join(', ');
    // A key that was pasted in the wrong place must not end up in a terminal's log.
    const given = name.startsWith('pk_') ? 'That' : `"${name}"`;
    throw wrongUsage(`${given} is no command. There are: ${names}, help.`);
  }
  return command;
}
