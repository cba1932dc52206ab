/** Opens a service's keys for one command, and closes them after it. */

import { createInterface } from 'node:readline';
import { type Command, Option } from 'commander';
import { explained } from '../explain';
import { exitCodes, Failure } from '../failure';
import { createOutput, type Output } from '../output';
import { openService, type Service, type ServiceOptions, withServiceOptions } from '../service';
import type { OpenKeys } from './open-keys';

/** What a command works with. */
export interface Session extends OpenKeys {
  readonly service: Service;
  readonly output: Output;
  /** Asks before what cannot be undone. @throws `Failure` when it was not confirmed, or there is no terminal to ask in */
  readonly confirm: (question: string) => Promise<void>;
}

/** The option of a command that asks for confirmation. */
export const yesOption = () => new Option('--yes', 'do not ask before what cannot be undone');

/** Adds the options that every command for keys takes. */
function withKeysOptions(command: Command): Command {
  const isConfirmed = command.options.some(({ long }) => long === yesOption().long);
  // The others take it in silence, so that a script may pass it to all.
  return withServiceOptions(isConfirmed ? command : command.addOption(yesOption().hideHelp()));
}

/** Puts commands into a group; each takes the options for keys. */
export function group(command: Command, commands: readonly Command[]): Command {
  command.helpCommand('help [command]', 'Show the options and examples of a command.');
  for (const each of commands) command.addCommand(withKeysOptions(each));
  return command;
}

/** Does a command's work with the keys of the service that its options name. @throws `Failure` */
export async function withSession(
  command: Command,
  work: (session: Session) => Promise<void>,
): Promise<void> {
  const options = command.opts<ServiceOptions & { readonly yes?: boolean }>();
  const service = await openService(options);
  const { apiKeys, quotaCounters, images } = service.tables;
  try {
    if (!apiKeys || !quotaCounters || !images) throw service.lacks('tables');
    // The SDK is loaded by what needs it only, so that help and refusals are quick.
    const { openKeys } = await import('./open-keys');
    const session: Session = {
      ...openKeys(service, { apiKeys, quotaCounters }),
      service,
      output: createOutput(process, options.json === true),
      confirm: async (question) => {
        if (options.yes !== true) await confirm(question);
      },
    };
    await explained({ ...service.place, tables: [apiKeys, quotaCounters, images] }, () => work(session));
  } finally {
    service.client.destroy();
  }
}

async function confirm(question: string): Promise<void> {
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
