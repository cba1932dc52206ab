/** Installs all packages if the named package is missing. npm prints to stderr, because programs read stdout. */

import { execSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const [, , needed, ...options] = process.argv;
const command = ['npm ci --ignore-scripts --no-audit --no-fund', ...options].join(' ');
if (!existsSync(`node_modules/${needed}`)) execSync(command, { stdio: ['ignore', 2, 2] });
