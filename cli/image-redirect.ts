/** The commands of the tool, put together. */

import { Command } from 'commander';
import manifest from '../package.json';
import { createCommand } from './command';

type Load = () => Promise<{ readonly command: (summary: string) => Command }>;

/** What each command is for, and where it is loaded from once it is called: none waits for what another one needs. */
const commands: Readonly<Record<string, [summary: string, load: Load]>> = {
  start: ['Run the whole service on this machine, without AWS and Docker.', () => import('../local/start')],
  keys: ['Issue and manage API keys, signers, site keys and accounts.', () => import('./keys/keys')],
  providers: ['Show which provider answers for each stock slot.', () => import('./providers/providers')],
  library: ['Show photographs of your own: add, list or remove them.', () => import('./library/library')],
  images: ['Take images down, and list those that were.', () => import('./images/images')],
  doctor: ['Check an AWS account, or a deployed stack.', () => import('./doctor/doctor')],
};

/**
 * A new command line, as one is parsed once only.
 * @param args what follows the name of the tool, and calls one command, or none; absent where all are wanted
 */
export async function tool(args?: readonly string[]): Promise<Command> {
  const command = createCommand('image-redirect', {
    summary: manifest.description,
    examples: ['start', 'keys create --plan pro --name "web shop"', 'doctor --stage prod'],
  })
    .version(manifest.version, '--version', 'show the version')
    .helpCommand('help [command]', 'Show the help of a command.');
  const called = args?.find((arg) => arg !== 'help' && !arg.startsWith('-'));
  for (const [name, [summary, load]] of Object.entries(commands)) {
    const isWanted = args === undefined || name === called;
    command.addCommand(isWanted ? (await load()).command(summary) : new Command(name).summary(summary));
  }
  return command;
}
