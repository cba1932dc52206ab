/**
 * The requests of the bench to the local service. Run as a program, this file is the flood: one API key requests
 * 100 new stock images and 10 new AI images a second for a minute. Meanwhile the bench measures another account,
 * which must not wait. A separate process does not delay the measured requests.
 */

import { setTimeout } from 'node:timers/promises';

export const imagePath = (query: string, provider = 'stock_a') =>
  `/api/image?${new URLSearchParams({ query, provider, width: '800', height: '600' })}`;

/** Requests an image. Returns the status, or 0 without a response. */
export async function requestImage(url: string, key: string): Promise<number> {
  const response = await fetch(url, { headers: { 'x-api-key': key }, redirect: 'manual' }).catch(
    () => undefined,
  );
  await response?.arrayBuffer();
  return response?.status ?? 0;
}

/** Starts work several times a second. It does not wait until earlier work has ended. */
export async function repeat<T>(seconds: number, perSecond: number, start: () => Promise<T>): Promise<T[]> {
  const started: Promise<T>[] = [];
  const beganMs = performance.now();
  while (started.length < seconds * perSecond) {
    while (started.length < ((performance.now() - beganMs) / 1_000) * perSecond) started.push(start());
    await setTimeout(5);
  }
  return Promise.all(started);
}

function flood(url = '', key = ''): void {
  let count = 0;
  const requestNewImage = (provider: string) =>
    requestImage(url + imagePath(`lake ${(count++).toString(36)}`, provider), key);
  process.send?.('The flood begins.');
  // Refused requests belong to the load.
  void repeat(60, 100, () => requestNewImage('stock_a'));
  void repeat(60, 10, () => requestNewImage('ai'));
}

if (require.main === module) flood(...process.argv.slice(2));
