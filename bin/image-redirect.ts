/** The command line tool of the project: `npx image-redirect --help`. */

import { run } from './operator/command';
import { tool } from './tool';

run(tool());
