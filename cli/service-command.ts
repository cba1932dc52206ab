/** Creates the commands that work on a service. All have the same options, confirmation and output. */

import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { type Argument, Command, Option } from 'commander';
import { type CommandTexts, createCommand } from './command';
import { createNotConfirmedFailure } from './failure';
import { localUrl } from './local-services';
import { printResult, type Result } from './output';
import { openService, type Service, type ServiceOptions } from './service';

/** One run of a command. */
export interface Session<Options = object> {
  readonly service: Service;
  readonly options: Options;
  readonly args: readonly string[];
  /** Asks before a step that cannot be undone. Throws `Failure` unless a terminal or `--yes` confirms it. */
  requireConfirmation(question: string): Promise<void>;
}

/** The definition of a command, which `createServiceCommand` makes into one. */
export interface ServiceCommand extends CommandTexts {
  readonly name: string;
  readonly arguments?: readonly Argument[];
  readonly options?: readonly Option[];
  readonly confirms?: boolean;
  /** Runs the command. Throws `Failure`, and what the SDK throws. */
  run(session: Session<never>): Promise<Result>;
}

/** Creates a group of commands, such as `keys`. */
export function createCommandGroup(
  name: string,
  texts: CommandTexts,
  members: readonly (ServiceCommand | Command)[],
): Command {
  const command = createCommand(name, { ...texts, footer });
  command.helpCommand('help [command]', 'Show the options and examples of a command.');
  for (const member of members)
    command.addCommand(member instanceof Command ? member : createServiceCommand(member));
  return command;
}

const footer = `Exit codes:
  0 done · 1 failed, or something cannot serve · 2 wrong usage · 3 no such thing
  4 not confirmed · 5 service or AWS not reachable`;

/** Creates a command that works on a local service or a deployed stack. */
export function createServiceCommand(definition: ServiceCommand): Command {
  const command = createCommand(definition.name, { ...definition, footer });
  for (const argument of definition.arguments ?? []) command.addArgument(argument);
  for (const option of definition.options ?? []) command.addOption(option);
  const local = new Option('--local <URL>', `a local service (default: ${localUrl})`);
  return command
    .addOption(new Option('--yes', 'do not ask before what cannot be undone').hideHelp(!definition.confirms))
    .addOption(local.conflicts(['stack', 'region', 'profile']))
    .option('--stack <NAME>', 'a deployed stack, found through CloudFormation')
    .option('--region <NAME>', 'AWS region of the stack (default: as the AWS CLI finds it)')
    .option('--profile <NAME>', 'AWS profile (default: as the AWS CLI finds it)')
    .option('--json', 'print one line of JSON on stdout, for scripts')
    .action(async () => {
      const options = command.opts<ServiceOptions & { readonly yes?: boolean; readonly json?: boolean }>();
      const service = await openService(options);
      const requireConfirmation = options.yes ? async () => undefined : askToConfirm;
      const args: readonly string[] = command.processedArgs.flat();
      try {
        const session = { service, options: options as never, args, requireConfirmation };
        printResult(await definition.run(session), options.json === true);
      } finally {
        service.database.client.destroy();
      }
    });
}

async function askToConfirm(question: string): Promise<void> {
  const { stdin: input, stderr: output } = process;
  if (!input.isTTY)
    throw createNotConfirmedFailure(`${question} There is no terminal: pass --yes to confirm it.`);
  const prompt = createInterface({ input, output });
  // Ctrl-C and the end of the input close the prompt without a confirmation.
  const promptClose = once(prompt, 'close').then(() => '');
  const answer = await Promise.race([prompt.question(`${question} Go on? [y/N] `), promptClose]);
  prompt.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw createNotConfirmedFailure('Nothing was changed.');
}
