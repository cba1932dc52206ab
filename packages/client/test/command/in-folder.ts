/** Sets up tests of commands: a folder for the site, a service with given answers, and the printed text. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Loopback, listenOnLoopback } from '../../../../test/fakes/loopback';
import { signers } from '../vectors';

/**
 * Sets up each test in a folder of its own.
 * @param answer answers a request. `status` is the next of `statuses`; absent if there is none
 */
export function serveInFolder(
  answer: (request: IncomingMessage, response: ServerResponse, url: URL, status?: number) => unknown,
) {
  const requests: { readonly url: string; readonly key: string | undefined }[] = [];
  const site = { base: '', requests, statuses: [] as number[], written: '' };
  const folderBefore = process.cwd();
  const [signer] = signers;
  let [server, folder] = [undefined as Loopback | undefined, ''];
  beforeAll(async () => {
    server = await listenOnLoopback((request, response) => {
      const { url = '', headers } = request;
      site.requests.push({ url, key: headers['x-api-key'] as string | undefined });
      return answer(request, response, new URL(url, site.base), site.statuses.shift());
    });
    site.base = server.address;
  });
  afterAll(() => server?.stop());
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'command-'));
    process.chdir(folder);
    Object.assign(process.env, {
      // The commands must drop the slash at the end.
      IMAGE_REDIRECT_URL: `${site.base}/`,
      IMAGE_REDIRECT_KEY: 'pk_test_x',
      IMAGE_REDIRECT_SIGNER: `${signer?.id}:${signer?.secret}`,
    });
    Object.assign(site, { requests: [], statuses: [], written: '' });
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
      site.written += String(text);
      return true;
    });
  });
  afterEach(() => {
    jest.restoreAllMocks();
    process.chdir(folderBefore);
    rmSync(folder, { recursive: true });
  });
  return site;
}

/** Writes a file of the site. */
export function write(name: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join('site', name)), { recursive: true });
  writeFileSync(join('site', name), content);
}
