/** For tests of commands: a site in a folder of its own, given answers, and what is printed. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Loopback, listenOnLoopback } from '../../../../test/fakes/loopback';
import { signers } from '../vectors';

/**
 * Sets up each test in a folder of its own.
 * @param answer of the service, whose status is the next one of `statuses`, or absent
 */
export function inFolder(
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
      // A slash behind it is none of its URLs'.
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
