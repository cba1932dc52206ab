/** The command line tool of the project: `npx image-redirect --help`. */

import manifest from '../package.json';
import { doctor } from './doctor/doctor';
import { usage } from './keys/commands/usage';
import { keys } from './keys/keys';
import { withKeysOptions } from './keys/session';
import { start } from './local/start';
import { mcp } from './mcp/mcp';
import { createCommand, run } from './operator/command';
import { providers } from './providers/providers';

const tool = createCommand('image-redirect', {
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
for (const command of [start, keys, providers, doctor, mcp]) tool.addCommand(command());
// The same as `keys usage`, where an operator looks for it first.
tool.addCommand(withKeysOptions(usage()));

run(tool);
