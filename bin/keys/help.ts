/** The help of the tool and of each command, made from the same table that reads the command line. */

import { columns, optionLines } from '../operator/options';
import type { Command } from './command';
import { commonOptions } from './command-line';
import { commands } from './command-table';

const program = 'npm run keys --';

export function helpOf(command?: Command): string {
  return command ? commandHelp(command) : toolHelp();
}

function toolHelp(): string {
  return `Issues and manages API keys, of the local service that runs or of a deployed stack.

  ${program} <command> [options]

Commands
${columns(commands.map(({ name, positionals, summary }) => [[name, ...positionals].join(' '), summary]))}
${columns([['help COMMAND', 'Show the options and examples of a command.']])}

Options of every command
${optionLines(commonOptions)}

Examples
  ${program} create --plan pro --name "web shop"
  ${program} usage acc_0123456789abcdef01 --stack ImageRedirect-prod --profile ops
  npm run -s keys -- create --plan free --name ci --json | jq -r .key

Exit codes
  0 done · 1 failed · 2 wrong usage · 3 no such key, account or stack
  4 not confirmed · 5 service or AWS not reachable
`;
}

function commandHelp({ name, positionals, summary, options, examples }: Command): string {
  const own = Object.keys(options).length === 0 ? '' : `\nOptions\n${optionLines(options)}\n`;
  return `${summary}

  ${[program, name, ...positionals, '[options]'].join(' ')}
${own}
Options of every command
${optionLines(commonOptions)}

Examples
${examples.map((example) => `  ${program} ${example}`).join('\n')}
`;
}
