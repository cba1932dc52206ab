/** Asks the launcher whether it would install packages first; it is an ES module, and jest runs CommonJS. */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const installer = pathToFileURL(join(__dirname, '../../bin/launch/install.mjs')).href;

/** @param folder that holds package-lock.json and node_modules */
export function isInstalled(folder: string): boolean {
  const code = `import { isInstalled } from ${JSON.stringify(installer)}; console.log(isInstalled(process.argv[1]));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code, folder], {
    encoding: 'utf8',
  });
  if (!/^(true|false)\n$/.test(stdout)) throw new Error(`The launcher said: ${stdout}${stderr}`);
  return stdout === 'true\n';
}
