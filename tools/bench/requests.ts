/** Sends requests to the local service that the bench measures. */

import { setTimeout } from 'node:timers/promises';

/** Writes the path of an image of 800 × 600 pixels. */
export const imagePath = (query: string, provider = 'stock_a') =>
  `/api/image?${new URLSearchParams({ query, provider, width: '800', height: '600' })}`;

/** Requests an image by an API key. Returns the status; 0 without a response. */
export async function requestImage(url: string, key: string): Promise<number> {
  const response = await fetch(url, { headers: { 'x-api-key': key }, redirect: 'manual' }).catch(
    () => undefined,
  );
  await response?.arrayBuffer();
  return response?.status ?? 0;
}

/** Starts work so many times a second, whether or not earlier work has ended. */
export async function repeat<T>(seconds: number, perSecond: number, start: () => Promise<T>): Promise<T[]> {
  const started: Promise<T>[] = [];
  const beganMs = performance.now();
  while (started.length < seconds * perSecond) {
    while (started.length < ((performance.now() - beganMs) / 1_000) * perSecond) started.push(start());
    await setTimeout(5);
  }
  return Promise.all(started);
}
