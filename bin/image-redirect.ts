/** The command line tool of the project: `npx image-redirect --help`. */

import manifest from '../package.json';
import { keys } from './keys/keys';
import { start } from './local/start';
import { createCommand, HelpShown } from './operator/command';
import { explain } from './operator/explain';
import { providers } from './providers/providers';

const tool = createCommand('image-redirect', {
  summary: manifest.description,
  examples: ['start', 'keys create --plan pro --name "web shop"', 'providers --stack ImageRedirect-prod'],
})
  .version(manifest.version, '--version', 'show the version')
  .helpCommand('help [command]', 'Show the help of a command.');
for (const command of [start, keys, providers]) tool.addCommand(command());

tool.parseAsync().catch((error: unknown) => {
  if (error instanceof HelpShown) return;
  const { exitCode, message } = explain(error);
  process.stderr.write(`${message}\n`);
  process.exitCode = exitCode;
});
