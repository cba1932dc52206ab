/** The commands of the tool, put together. */

import { Command } from 'commander';
import manifest from '../package.json';
import { createCommand } from './command';

/** What each command is for, and where it is loaded from once it is called: none waits for what another one needs. */
const commands: Readonly<Record<string, [summary: string, load: (summary: string) => Promise<Command>]>> = {
  start: [
    'Run the whole service on this machine: no AWS account, no Docker, no network.',
    async (summary) => (await import('../local/start')).start(summary),
  ],
  keys: [
    'Issue and manage API keys, signers, site keys and accounts, of a local service or of a deployed stack.',
    async (summary) => (await import('./keys/keys')).keys(summary),
  ],
  providers: [
    'Show which provider answers for each stock slot, and whether it can.',
    async (summary) => (await import('./providers/providers')).providers(summary),
  ],
  library: [
    'Show photographs of your own at a slot that is bound to library: add, list or remove them.',
    async (summary) => (await import('./library/library')).library(summary),
  ],
  images: [
    'Take images down, and list those that were.',
    async (summary) => (await import('./images/images')).images(summary),
  ],
  doctor: [
    'Check an AWS account before a deployment, or a stack after one.',
    async (summary) => (await import('./doctor/doctor')).doctor(summary),
  ],
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
    command.addCommand(isWanted ? await load(summary) : new Command(name).summary(summary));
  }
  return command;
}
