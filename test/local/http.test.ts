/** Tests that a server stops after the requests in flight, and refuses callers without the token. */

import { request } from 'node:http';
import { guardListener, openServer } from '../../local/http';
import { tokenHeader } from '../../local/token';
import { createDeferred, isSettled } from '../fakes/clock';

const never = new Promise<never>(() => undefined);

async function startServer() {
  let release = (): void => undefined;
  let onArrival = (): void => undefined;
  const arrived = new Promise<void>((resolve) => {
    onArrival = resolve;
  });
  const listening = await openServer(0, (_, response) => {
    release = () => response.end('whole');
    onArrival();
  });
  const answer = fetch(listening.url).then((response) => response.text());
  answer.catch(() => undefined);
  await arrived;
  return { ...listening, answer, release: () => release() };
}

test('a server that stops waits for the requests in flight only', async () => {
  const { url, answer, release, stop } = await startServer();
  const stopped = stop(never);
  await expect(fetch(url)).rejects.toThrow();
  release();
  expect(await answer).toBe('whole');
  await stopped;
});

test('a server that stops waits for the work of a request whose caller has gone', async () => {
  const work = createDeferred<void>();
  const caller = new AbortController();
  const callerLeft = createDeferred<void>();
  const { url, stop } = await openServer(0, (_, response) => {
    response.once('close', () => callerLeft.resolve());
    caller.abort();
    return work.promise;
  });
  await expect(fetch(url, { signal: caller.signal })).rejects.toThrow();
  const stopped = stop(never);
  await callerLeft.promise;
  expect(await isSettled(stopped)).toBe(false);
  work.resolve();
  await stopped;
});

test('a server that stops cuts a request off when the grace is over', async () => {
  const { answer, stop } = await startServer();
  await stop(Promise.resolve());
  await expect(answer).rejects.toThrow();
});

test('a port that is in use is refused', async () => {
  const server = await openServer(0, (_, response) => void response.end());
  const port = Number(new URL(server.url).port);
  await expect(openServer(port, () => undefined)).rejects.toThrow(`Port ${port} is in use`);
  await server.stop();
});

/** The status that a server answers with; `fetch` would write some of these headers itself. */
const requestStatus = (url: string, headers: Readonly<Record<string, string>>) =>
  new Promise<number | undefined>((resolve, reject) => {
    const clientRequest = request(url, { method: 'POST', headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    clientRequest.on('error', reject).end();
  });

const token = 't'.repeat(32);
test.each<[string, number, Readonly<Record<string, string>>]>([
  ['with the token', 200, { [tokenHeader]: token }],
  ['signed with the token', 200, { authorization: `AWS4 Credential=${token}/20261121/x` }],
  ['without the token', 403, {}],
  ['with a part of the token', 403, { [tokenHeader]: token.slice(1) }],
  ['of a page in a browser', 403, { [tokenHeader]: token, origin: 'http://127.0.0.1' }],
  ['under a name that somebody else gave this machine', 403, { [tokenHeader]: token, host: 'a.localhost' }],
  ['under a name that begins like its own', 403, { [tokenHeader]: token, host: '127.0.0.1.a.example' }],
  ['under its own IPv6 address', 200, { [tokenHeader]: token, host: '[::1]:3000' }],
  [
    'under the name of this machine in a container',
    200,
    { [tokenHeader]: token, host: 'host.docker.internal:3000' },
  ],
  [
    'under a name that begins like that of a container',
    403,
    { [tokenHeader]: token, host: 'host.docker.internal.a.example:1' },
  ],
  ['under its own name', 200, { [tokenHeader]: token, host: 'LocalHost:3000' }],
])('a request %s gets %d', async (_, status, headers) => {
  const { url, stop } = await openServer(
    0,
    guardListener((_request, response) => void response.end(), token),
  );
  const answered = await requestStatus(url, headers);
  await stop();
  expect(answered).toBe(status);
});
