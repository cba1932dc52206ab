/** Reads a command line of `image-redirect-pages` and runs its command. */

import { eject } from './eject';
import { fill } from './fill';
import { UsageError } from './inputs';
import { lint } from './lint';
import { sign } from './sign';

const commands = new Map(Object.entries({ fill, lint, eject, sign }));

const help = `Usage: image-redirect-pages COMMAND

  fill [files…] [--write] [--json] [--check]
      [--replace-stock] [--style S] [--onmiss ai] [--lang L]
      Replace placeholders by images that fit the words beside them.
      Without --write it says what it would do.
  lint [files…] [--json | --format github] [--check]
      Say what is wrong with the images of pages. Exit code 1 for findings.
  eject FOLDER [--out dist] [--site URL] [--json]
      Copy the site with its images as files, so that it needs no service.
      No .env files are copied.
  sign URL [--days N]
      Sign the URL of an image.

Reads from the environment:
  IMAGE_REDIRECT_URL     root of the service, for example https://img.example.com
  IMAGE_REDIRECT_KEY     API key, pk_…: fill, eject and credits
  IMAGE_REDIRECT_SIGNER  id and secret of a signer, sg_…:sgs_…: sign
`;

/** Runs a command. @returns the exit code: 0, 1 for findings and failures, 2 for wrong usage */
export async function run([name = '', ...args]: readonly string[]): Promise<number> {
  if (/^(?:|help|-h|--help)$/.test(name) || args.includes('--help')) {
    process.stdout.write(help);
    return 0;
  }
  try {
    const command = commands.get(name);
    if (!command) throw new UsageError(`There is no command ${name}.`);
    return await command(args);
  } catch (error) {
    const { message, code } = error as Error & { readonly code?: string };
    const isOptionFault = code?.startsWith('ERR_PARSE_ARGS') === true;
    const isUsage = isOptionFault || error instanceof UsageError;
    // Node.js adds advice for arguments that begin with a hyphen. Its first sentence is enough.
    const text = isOptionFault ? message.replace(/(\. .*)?$/s, '.') : message;
    process.stderr.write(`${text}${isUsage ? ' See image-redirect-pages --help.' : ''}\n`);
    return isUsage ? 2 : 1;
  }
}
