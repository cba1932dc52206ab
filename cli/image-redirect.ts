/** The commands of the tool, put together. */

import type { Command } from 'commander';
import manifest from '../package.json';
import { createCommand } from './command';

/** Each command is loaded where it is called, so that none waits for what another one needs. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  start: async () => (await import('../local/start')).start(),
  keys: async () => (await import('./keys/keys')).keys(),
  providers: async () => (await import('./providers/providers')).providers(),
  library: async () => (await import('./library/library')).library(),
  images: async () => (await import('./images/images')).images(),
  doctor: async () => (await import('./doctor/doctor')).doctor(),
};

/** A new command line, as one is parsed once only. @param called the command that is called; all are listed where it names none of them */
export async function tool(called = ''): Promise<Command> {
  const command = createCommand('image-redirect', {
    summary: manifest.description,
    examples: [
      'start',
      'keys create --plan pro --name "web shop"',
      'providers --stack ImageRedirect-prod',
      'doctor --stage prod',
    ],
  })
    .version(manifest.version, '--version', 'show the version')
    .helpCommand('help [command]', 'Show the help of a command.');
  const names = Object.hasOwn(commands, called) ? [called] : Object.keys(commands);
  for (const name of names) command.addCommand(await (commands[name] as () => Promise<Command>)());
  return command;
}
