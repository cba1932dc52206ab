/** Creates the commands of the tool, which share the form of their help and their errors of one line. */

import { Command, CommanderError } from 'commander';
import { capitalise } from '../lambda/base/text';
import { convertToFailure, createUsageFailure } from './failure';

export interface CommandTexts {
  readonly summary: string;
  /** Sentences after the summary. Only the help of the command itself has them. */
  readonly details?: string;
  readonly examples?: readonly string[];
  readonly footer?: string;
}

/** Creates a command. Its parsing throws `Failure`, or a `CommanderError` when it has printed help. */
export function createCommand(
  name: string,
  { summary, details, examples = [], footer }: CommandTexts,
): Command {
  const lines = examples.map((example) => `\n  npm run image-redirect -- ${example}`);
  return (
    new Command(name)
      .summary(summary)
      .description([summary, details].join(' ').trim())
      .helpOption('--help', 'show this help')
      .allowExcessArguments(false)
      // Help goes to stdout, also when a command is missing. `runCommandLine` prints errors.
      .configureOutput({ writeErr: (text) => process.stdout.write(text), outputError: () => undefined })
      .addHelpText('after', lines.length > 0 ? `\nExamples:${lines.join('')}` : '')
      .addHelpText('after', footer ? `\n${footer}` : '')
      .exitOverride((error) => {
        if (/^commander\.(help|helpDisplayed|version)$/.test(error.code)) throw error;
        throw createUsageFailure(capitalise(error.message.replace(/^error: /, '').replaceAll('\n', ' ')));
      })
  );
}

/**
 * Runs a command line. Never rejects: an error is printed as one line on stderr and sets the exit code.
 * @param args the arguments after the name of the program
 */
export async function runCommandLine(command: Command, args: readonly string[]): Promise<void> {
  try {
    await command.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return;
    const { exitCode, message } = convertToFailure(error);
    process.stderr.write(`${message}\n`);
    process.exitCode = exitCode;
  }
}

/** Creates the parser of an option with a text. It trims the text, and refuses an empty or too long one. */
export function createTextParser(option: string, charactersMax = 100): (text: string) => string {
  return (text) => {
    const value = text.trim();
    if (value === '' || [...value].length > charactersMax || /\p{Cc}/u.test(value))
      throw createUsageFailure(
        `${option} takes 1 to ${charactersMax} characters without control characters.`,
      );
    return value;
  };
}

/** Creates the parser of an option with a whole number. */
export function createNumberParser(option: string, min: number, max: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= min && number <= max) return number;
    throw createUsageFailure(`${option} takes a whole number from ${min} to ${max}.`);
  };
}
