/** The command line tool of the project: `npx image-redirect --help`. */

import manifest from '../package.json';
import { doctor } from './doctor/doctor';
import { keys } from './keys/keys';
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

run(tool);
