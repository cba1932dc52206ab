/** Makes the commands of the tool, all with the same form of help and with refusals in one line. */

import { Command, CommanderError } from 'commander';
import { toFailure, wrongUsage } from './failure';

/** The texts of a command's help. */
export interface CommandTexts {
  readonly summary: string;
  /** Sentences after the summary, in the command's own help alone. */
  readonly details?: string;
  /** By default the program of the tool. */
  readonly program?: string;
  /** Command lines, without the program. */
  readonly examples: readonly string[];
  readonly footer?: string;
}

/** Makes a command. Its parsing throws `Failure`, or a `CommanderError` once help has been printed. */
export function createCommand(
  name: string,
  { summary, details, program = 'npm run image-redirect --', examples, footer }: CommandTexts,
): Command {
  const lines = examples.map((example) => `  ${program} ${example}`.trimEnd());
  const command: Command = new Command(name)
    .summary(summary)
    .description([summary, details].join(' ').trim())
    .helpOption('--help', 'show this help')
    .allowExcessArguments(false)
    .showHelpAfterError(false)
    .configureHelp({
      subcommandTerm: (child) => [child, ...child.registeredArguments].map((part) => part.name()).join(' '),
    })
    // `runCommandLine` prints refusals. Help goes to stdout, also when a command is missing.
    .configureOutput({ outputError: () => undefined, writeErr: (text) => process.stdout.write(text) })
    .addHelpText('before', ({ command: shown }) => {
      // For a mistyped command Commander would show the help of the group.
      const names = ['help', ...shown.commands.map((child) => child.name())];
      const mistyped = shown.args.find((word) => !word.startsWith('-') && !names.includes(word));
      if (names.length > 1 && mistyped !== undefined)
        shown.error(`unknown command '${mistyped}'`, { code: 'commander.unknownCommand' });
      return '';
    })
    .addHelpText('after', `\nExamples:\n${lines.join('\n')}${footer ? `\n\n${footer}` : ''}`)
    .exitOverride((error) => {
      if (/^commander\.(help|helpDisplayed|version)$/.test(error.code)) throw error;
      const message = error.message.replace(/^error: /, '').replaceAll('\n', ' ');
      const names = command.commands.map((child) => child.name()).join(', ');
      const offer = error.code === 'commander.unknownCommand' ? ` The commands are: ${names}, help.` : '';
      const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.$/, '')}.`;
      throw wrongUsage(`${sentence}${offer} See "${[program, ...pathOf(command)].join(' ')} --help".`);
    });
  return command;
}

function pathOf(command: Command): readonly string[] {
  return command.parent ? [...pathOf(command.parent), command.name()] : [];
}

/** Runs the command line of this process. */
export function runProgram(command: Command): void {
  // A reader of the output, such as `head`, may end before it has read everything.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
  void runCommandLine(command, process.argv.slice(2));
}

/**
 * Runs a command line. Never rejects: an error becomes one line on stderr and the exit code of the process.
 * @param args the arguments after the name of the program
 */
export async function runCommandLine(command: Command, args: readonly string[]): Promise<void> {
  try {
    await command.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return;
    const { exitCode, message } = toFailure(error);
    process.stderr.write(`${message}\n`);
    process.exitCode = exitCode;
  }
}

/** Makes a reader of an option's text, which is trimmed and has 1 to so many code points. */
export function textReader(option: string, charactersMax = 100): (text: string) => string {
  return (text) => {
    const trimmed = text.trim();
    if (trimmed === '' || [...trimmed].length > charactersMax || /\p{Cc}/u.test(trimmed))
      throw wrongUsage(`${option} takes 1 to ${charactersMax} characters without control characters.`);
    return trimmed;
  };
}

/** Makes a reader of a whole number; `also` ends the refusal, such as `, or off`. */
export function numberReader(option: string, min: number, max: number, also = ''): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= min && number <= max) return number;
    throw wrongUsage(`${option} takes a whole number from ${min} to ${max}${also}.`);
  };
}
