/** The commands of the tool, put together. */

import type { Command } from 'commander';
import { start } from '../local/start';
import manifest from '../package.json';
import { createCommand } from './command';
import { doctor } from './doctor/doctor';
import { keys } from './keys/keys';
import { withKeysOptions } from './keys/session';
import { usage } from './keys/usage';
import { library } from './library/library';
import { mcp } from './mcp/mcp';
import { providers } from './providers/providers';

/** A new command line, as one is parsed once only. */
export function tool(): Command {
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
  for (const each of [start, keys, providers, library, doctor, mcp]) command.addCommand(each());
  // The same as `keys usage`, where an operator looks for it first.
  return command.addCommand(withKeysOptions(usage()));
}
