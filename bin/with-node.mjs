// Runs a command on another Node.js than the one installed: `node bin/with-node.mjs 24 -- npm test`.
import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { npmBinary } from './launch/npm-binary.mjs';
import { root } from './launch/root.mjs';

const [version, separator, command, ...args] = process.argv.slice(2);
if (!/^\d+$/.test(version ?? '') || separator !== '--' || command === undefined) {
  process.stderr.write('Usage: node bin/with-node.mjs VERSION -- COMMAND [ARGUMENTS]\n');
  process.exit(1);
}

const name = `node-${process.platform}-${process.arch}`;
const bin = join(npmBinary(name, version, `node-${version}`), 'bin');
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
const { status } = spawnSync(command, args, { cwd: root, env, stdio: 'inherit' });
process.exit(status ?? 1);
