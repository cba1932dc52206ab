// Runs the Node.js that the functions run on in AWS, with the arguments of this script.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { lockedPackage } from './locked-packages.mjs';

const program = join(lockedPackage('node'), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
const { status, signal } = spawnSync(program, process.argv.slice(2), { stdio: 'inherit' });
if (signal) process.kill(process.pid, signal);
process.exit(status ?? 1);
