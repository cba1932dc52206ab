/** A server that stops lets requests in flight end, until it may wait no longer. */

import { once } from 'node:events';
import { listen } from '../../local/http';
import { breathe, createDeferred } from '../fakes/deferred';

const never = new Promise<never>(() => undefined);

async function started() {
  let release = (): void => undefined;
  let onArrival = (): void => undefined;
  const arrived = new Promise<void>((resolve) => {
    onArrival = resolve;
  });
  const listening = await listen(0, (_, response) => {
    release = () => response.end('whole');
    onArrival();
  });
  const answer = fetch(listening.url).then((response) => response.text());
  answer.catch(() => undefined);
  await arrived;
  return { ...listening, answer, release: () => release() };
}

it('answers a request in flight before it ends, and takes no other', async () => {
  const { url, answer, release, stop } = await started();
  const stopped = stop(never);
  await expect(fetch(url)).rejects.toThrow();
  release();
  expect(await answer).toBe('whole');
  await stopped;
});

it('waits for the work of a request whose caller has gone', async () => {
  const work = createDeferred<void>();
  const gone = new AbortController();
  const left = createDeferred<void>();
  const { server, url, stop } = await listen(0, (_, response) => {
    response.once('close', () => left.resolve());
    gone.abort();
    return work.promise;
  });
  await expect(fetch(url, { signal: gone.signal })).rejects.toThrow();
  const closed = once(server, 'close');
  let isStopped = false;
  const stopped = stop(never).then(() => {
    isStopped = true;
  });
  await Promise.all([closed, left.promise]);
  await breathe();
  expect(isStopped).toBe(false);
  work.resolve();
  await stopped;
});

it('cuts a request off when the grace is over', async () => {
  const { answer, stop } = await started();
  await stop(Promise.resolve());
  await expect(answer).rejects.toThrow();
});

it('ends at once without a grace, twice without harm', async () => {
  const { server, answer, stop } = await started();
  const closed = once(server, 'close');
  await stop();
  await closed;
  await stop();
  await expect(answer).rejects.toThrow();
});

it('says that a port is in use', async () => {
  const first = await listen(0, (_, response) => void response.end());
  const port = Number(new URL(first.url).port);
  await expect(listen(port, () => undefined)).rejects.toThrow(`Port ${port} is in use`);
  await first.stop();
});
