/** Creates the command line tool of the operator. */

import { Command } from 'commander';
import manifest from '../package.json';
import { createCommand } from './command';

/** Loads the module of a command. */
type LoadModule = () => Promise<{ readonly buildCommand: (summary: string) => Command }>;

/** The commands, each with its summary. The module of a command is loaded when the command is called. */
const commands: Readonly<Record<string, [summary: string, load: LoadModule]>> = {
  start: ['Run the whole service on this machine, without AWS and Docker.', () => import('../local/start')],
  keys: ['Issue and manage API keys, signers, site keys and accounts.', () => import('./keys/keys')],
  providers: ['Show which provider answers for each stock slot.', () => import('./providers/providers')],
  library: ['Show photographs of your own: add, list or remove them.', () => import('./library/library')],
  images: ['Take images down, and list the images that were taken down.', () => import('./images/images')],
  doctor: ['Check an AWS account, or a deployed stack.', () => import('./doctor/doctor')],
};

/**
 * Creates the tool, which can parse one command line.
 * @param args the arguments, which say which command is loaded; absent to load all commands
 */
export async function createTool(args?: readonly string[]): Promise<Command> {
  const tool = createCommand('image-redirect', {
    summary: manifest.description,
    examples: ['start', 'keys create --plan pro --name "web shop"', 'doctor --stage prod'],
  })
    .version(manifest.version, '--version', 'show the version')
    .helpCommand('help [command]', 'Show the help of a command.');
  for (const [name, [summary, load]] of Object.entries(commands)) {
    const isCalled = args?.includes(name) ?? true;
    tool.addCommand(isCalled ? (await load()).buildCommand(summary) : new Command(name).summary(summary));
  }
  return tool;
}
