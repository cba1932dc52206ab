/** Starts the local service, as a page's author would. */

import { spawn } from 'node:child_process';

export interface LocalService {
  readonly url: string;
  /** An API key of the plan `business`. */
  readonly key: string;
  stop(): void;
}

/** @param folder of the repository */
export async function startLocalService(folder: string): Promise<LocalService> {
  const options = ['--memory', '--port', '0', '--json'];
  const args = ['bin/image-redirect.cjs', 'start', ...options];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: 'pipe' });
  return new Promise((resolve, reject) => {
    let text = '';
    let log = '';
    child.stderr.on('data', (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-4000);
    });
    child.once('exit', (code) => reject(new Error(`The local service ended with ${code}.\n${log}`)));
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (!text.includes('\n')) return;
      const { url, keys } = JSON.parse(text) as { url: string; keys: { business: { live: string } } };
      resolve({ url, key: keys.business.live, stop: () => child.kill() });
    });
  });
}
