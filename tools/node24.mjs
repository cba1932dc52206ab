// Runs the Node.js that the functions run on in AWS, with the arguments of this script.
import { spawnSync } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { lockedPackage } from './locked-packages.mjs';

const program = join(lockedPackage('node'), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
// What the program starts finds the same version.
const env = { ...process.env, PATH: `${dirname(program)}${delimiter}${process.env.PATH}` };
const { status, signal } = spawnSync(program, process.argv.slice(2), { stdio: 'inherit', env });
if (signal) process.kill(process.pid, signal);
process.exit(status ?? 1);
