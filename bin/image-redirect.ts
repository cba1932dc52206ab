/** The command line tool of the project: `npm run image-redirect -- --help`. */

import { run } from '../cli/command';
import { tool } from '../cli/image-redirect';

void tool(process.argv[2]).then(run);
