/** Tests how commands find a local service, and what they say of another server at its URL. */

import { chmodSync, existsSync, statSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { readLocalDescription } from '../../cli/local-services';
import { leaveToken, nameTokenFile, tokenHeader } from '../../local/token';
import { startFixture } from '../fakes/fixture';
import { listenOnLoopback } from '../fakes/loopback';
import { expectRefusal, runTool } from './run-tool';

let answer: RequestListener;
const description = {
  dynamodb: 'http://127.0.0.1:1',
  aws: 'http://127.0.0.1:2',
  imageStoreUrl: 'file:///images',
  tables: { apiKeys: 'k' },
};
const service = startFixture(() => listenOnLoopback((request, response) => answer(request, response)));
beforeEach(() => {
  answer = ({ url }, response) => void response.end(url === '/_local' ? JSON.stringify(description) : '{}');
});

const run = (local = service.address) => runTool(['keys', 'list', '--local', local], { cwd: tmpdir() });

test.each([
  ['its URL', (url: string) => url],
  ['the URL of its page', (url: string) => `${url}/api/image?query=a`],
  ['its host and port', (url: string) => url.replace('http://', '')],
])('--local finds a service by %s', async (_, writeOption) => {
  // A service that was killed at this port may have left a token.
  expect(await readLocalDescription(writeOption(service.address))).toMatchObject({
    url: service.address,
    ...description,
  });
});

test('without --local a command asks the default port of npm start', async () => {
  const asking = jest.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json(description));
  expect(await readLocalDescription()).toMatchObject({ url: 'http://127.0.0.1:3000', ...description });
  expect(asking.mock.calls[0]?.[0]).toBe('http://127.0.0.1:3000/_local');
  asking.mockRestore();
});

test.each(['', 'http://', 'not a host'])('--local refuses %j', async (local) => {
  expectRefusal(await run(local), 2, '--local takes the URL of a service');
});

test.each<[string, RequestListener, string]>([
  [
    'the service of another user',
    (_, response) => void response.writeHead(403).end(),
    'as the user who started',
  ],
  [
    'a server of something else',
    (_, response) => void response.writeHead(404).end('{}'),
    'no local image redirect service',
  ],
  [
    'a server that responds with other JSON',
    (_, response) => void response.end('{"tables":{}}'),
    'no local image redirect',
  ],
])('a command ends with 5 if the URL leads to %s', async (_, listener, says) => {
  answer = listener;
  expectRefusal(await run(), 5, says);
});

test('a command sends the token that the service has left for its user', async () => {
  const removeToken = leaveToken(service.address, 'the-token');
  let sentToken: unknown;
  answer = ({ headers }, response) => {
    sentToken = headers[tokenHeader];
    response.end(JSON.stringify(description));
  };
  try {
    expect(await readLocalDescription(service.address)).toMatchObject({ token: 'the-token' });
  } finally {
    removeToken();
  }
  expect(sentToken).toBe('the-token');
});

test('only the user can read the token of a service, and only until the service ends', () => {
  const url = 'http://127.0.0.1:1';
  const folder = dirname(nameTokenFile(url));
  const removeToken = leaveToken(url, 'a-token');
  try {
    const modes = [nameTokenFile(url), folder].map((path) => statSync(path).mode & 0o777);
    expect(modes).toEqual([0o600, 0o700]);
    chmodSync(folder, 0o701);
    expect(() => leaveToken(url, 'a-token')).toThrow('is open to other users');
  } finally {
    chmodSync(folder, 0o700);
    removeToken();
  }
  expect(existsSync(nameTokenFile(url))).toBe(false);
});

test('a command sends the token to no other service that the first one redirects to', async () => {
  const requestedUrls: unknown[] = [];
  const otherServer = await listenOnLoopback((request, response) => {
    requestedUrls.push(request.url);
    response.end(JSON.stringify(description));
  });
  answer = (_, response) => void response.writeHead(302, { Location: `${otherServer.address}/_local` }).end();
  expectRefusal(await run(), 5, 'npm start');
  await otherServer.stop();
  expect(requestedUrls).toEqual([]);
});
