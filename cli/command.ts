/** Makes the commands of the tool: the same help, the same refusals in one line, and results as text or JSON. */

import { Command, type CommanderError } from 'commander';
import { explain } from './explain';
import { exitCodes, Failure } from './failure';

/** How the tool is called from the project's folder. */
const tool = 'npm run image-redirect --';

/** Thrown when help was asked for and has been printed. */
class HelpShown extends Error {
  override readonly name = 'HelpShown';
}

/** What the help of a command says. */
export interface CommandTexts {
  readonly summary: string;
  /** What the command's own help says after the summary. */
  readonly details?: string;
  /** How the program is called, where it is not the tool. */
  readonly program?: string;
  /** Full command lines, without the program. */
  readonly examples: readonly string[];
  /** What the help says below the examples. */
  readonly more?: string;
}

/** A command whose parsing throws `Failure` or `HelpShown`. */
export function createCommand(
  name: string,
  { summary, details, program = tool, examples, more }: CommandTexts,
): Command {
  const command: Command = new Command(name)
    .summary(summary)
    .description(details === undefined ? summary : `${summary} ${details}`)
    .helpOption('--help', 'show this help')
    .allowExcessArguments(false)
    .showHelpAfterError(false)
    .configureHelp({
      subcommandTerm: (each) =>
        [each.name(), ...each.registeredArguments.map((argument) => argument.name())].join(' '),
    })
    // A refusal is printed once, by the program; help goes to stdout, also when a command is missing.
    .configureOutput({ outputError: () => undefined, writeErr: (text) => process.stdout.write(text) })
    .addHelpText('before', ({ command: shown }) => {
      // Commander shows the help of the group to who has mistyped one of its commands.
      const known = ['help', ...shown.commands.map((each) => each.name())];
      const name = shown.args.find((word) => !word.startsWith('-') && !known.includes(word));
      if (known.length > 1 && name !== undefined)
        shown.error(`unknown command '${name}'`, { code: 'commander.unknownCommand' });
      return '';
    })
    .exitOverride((error) => {
      if (/^commander\.(help|helpDisplayed|version)$/.test(error.code)) throw new HelpShown();
      throw new Failure(
        exitCodes.usage,
        `${refusal(command, error)} See "${[program, ...pathOf(command)].join(' ')} --help".`,
      );
    });
  const lines = examples.map((example) => `  ${program}${example === '' ? '' : ` ${example}`}`);
  return command.addHelpText('after', `\nExamples:\n${lines.join('\n')}${more ? `\n\n${more}` : ''}`);
}

/** Commander's message as one sentence, with what it leaves out. */
function refusal(command: Command, { code, message }: CommanderError): string {
  const line = message
    .replace(/^error: /, '')
    .split('\n')
    .join(' ')
    .replace(/\.$/, '');
  const sentence = `${line.charAt(0).toUpperCase()}${line.slice(1)}`;
  switch (code) {
    case 'commander.unknownCommand':
      return `${sentence}. The commands are: ${command.commands.map((each) => each.name()).join(', ')}, help.`;
    case 'commander.excessArguments':
      return `${sentence}: ${command.args.map((argument) => `"${argument}"`).join(' ')}.`;
    default:
      return `${sentence}.`;
  }
}

/** Names of a command and its parents, without the program's. */
function pathOf(command: Command): readonly string[] {
  return command.parent ? [...pathOf(command.parent), command.name()] : [];
}

/** Runs a program: reads the command line of the process and does what it says. */
export function run(command: Command): void {
  // A program that the output is piped to, such as head, may have read enough.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
  void execute(command, process.argv.slice(2));
}

/**
 * Does what a command line says. What goes wrong ends in one line on stderr and the exit code of the process, so the
 * promise is never rejected.
 * @param args what follows the name of the program
 */
export async function execute(command: Command, args: readonly string[]): Promise<void> {
  try {
    await command.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof HelpShown) return;
    const { exitCode, message } = explain(error);
    process.stderr.write(`${message}\n`);
    process.exitCode = exitCode;
  }
}
