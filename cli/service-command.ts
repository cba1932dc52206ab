/** Commands that work on a service: rows of a table, made into commands with the same options, confirmation and output. */

import { createInterface } from 'node:readline';
import { Argument, Command, Option } from 'commander';
import { type CommandTexts, createCommand } from './command';
import { explained } from './explain';
import { exitCodes, Failure } from './failure';
import { localUrl } from './local-services';
import { print, type Result } from './output';
import { openService, type Service, type ServiceOptions } from './service';

/** What a command works with. */
export interface Session {
  readonly service: Service;
  /** Asks before what cannot be undone. @throws `Failure` when it was not confirmed, or there is no terminal to ask in */
  confirm(question: string): Promise<void>;
}

/** One command, as a row of its group's table. */
export interface ServiceCommand extends CommandTexts {
  readonly name: string;
  /** What it takes in its place, such as `<ID>` or `<ID...>`. */
  readonly arguments?: readonly Argument[];
  readonly options?: readonly Option[];
  /** Whether it asks before what cannot be undone. */
  readonly confirms?: boolean;
  /** @param options as each command knows its own; the given arguments follow. @throws `Failure`, and what the SDK throws */
  run(session: Session, options: never, ...given: readonly string[]): Promise<Result>;
}

/** What an option takes beside its text. */
interface OptionTerms {
  readonly read?: (text: string, before: never) => unknown;
  readonly choices?: readonly string[];
  readonly isRequired?: boolean;
  /** The value where it is not given, and how the help calls it. */
  readonly preset?: unknown;
  readonly presetWords?: string;
}

/** An option of a command. @param flags such as `--name <TEXT>` */
export function option(flags: string, text: string, terms: OptionTerms = {}): Option {
  const { read, choices, isRequired = false, preset, presetWords } = terms;
  const made = new Option(flags, text).makeOptionMandatory(isRequired);
  if (choices) made.choices(choices);
  if (read) made.argParser(read as (text: string, before: unknown) => unknown);
  return preset === undefined ? made : made.default(preset, presetWords);
}

/** An argument of a command. @param form such as `<ID>` */
export function argument(form: string, text: string, read?: (text: string) => string): Argument {
  const made = new Argument(form, text);
  return read ? made.argParser(read) : made;
}

/** A group of commands. */
export function group(
  name: string,
  texts: CommandTexts,
  rows: readonly (ServiceCommand | Command)[],
): Command {
  const made = createCommand(name, texts);
  made.helpCommand('help [command]', 'Show the options and examples of a command.');
  for (const row of rows) made.addCommand(row instanceof Command ? row : serviceCommand(row));
  return made;
}

/** A command that works on a local service or a deployed stack. */
export function serviceCommand(row: ServiceCommand): Command {
  const made = createCommand(row.name, row);
  for (const each of row.arguments ?? []) made.addArgument(each);
  for (const each of row.options ?? []) made.addOption(each);
  const yes = new Option('--yes', 'do not ask before what cannot be undone');
  // The others take it in silence, so that a script may pass it to all.
  return made
    .addOption(row.confirms ? yes : yes.hideHelp())
    .optionsGroup('Options for the service:')
    .addOption(
      new Option('--local <URL>', `a local service (default: ${localUrl})`).conflicts([
        ...['stack', 'region', 'profile'],
      ]),
    )
    .option('--stack <NAME>', 'a deployed stack, found through CloudFormation')
    .option('--region <NAME>', 'AWS region of the stack (default: as the AWS CLI finds it)')
    .option('--profile <NAME>', 'AWS profile (default: as the AWS CLI finds it)')
    .optionsGroup('Options for the output:')
    .option('--json', 'print one line of JSON on stdout, for scripts')
    .action(async () => {
      const options = made.opts<ServiceOptions & { readonly yes?: boolean; readonly json?: boolean }>();
      const service = await openService(options);
      const confirm = async (question: string) => {
        if (options.yes !== true) await ask(question);
      };
      try {
        const given = made.processedArgs.flat() as string[];
        const work = () => row.run({ service, confirm }, options as never, ...given);
        print(await explained(service.place, work), options.json === true);
      } finally {
        service.database.client.destroy();
      }
    });
}

async function ask(question: string): Promise<void> {
  const { stdin: input, stderr: output } = process;
  const refused = (message: string) => new Failure(exitCodes.notConfirmed, message);
  if (!input.isTTY)
    throw refused(`${question} There is no terminal to confirm it in; pass --yes to confirm.`);
  const prompt = createInterface({ input, output });
  const answer = await new Promise<string>((resolve) => {
    // Ctrl-C and the end of the input are no confirmation.
    prompt.once('close', () => resolve(''));
    prompt.question(`${question} Go on? [y/N] `, resolve);
  });
  prompt.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw refused('Nothing was changed.');
}
