/** Sends requests to the service that the bench measures. */

import { setTimeout } from 'node:timers/promises';

/** Writes the path of an image of 800 × 600 pixels. */
export const imagePath = (query: string, provider = 'stock_a') =>
  `/api/image?${new URLSearchParams({ query, provider, width: '800', height: '600' })}`;

/** Makes a query that no process requested before. */
export const newWords = () => `lake ${process.pid.toString(36)} ${(count++).toString(36)}`;
let count = 0;

/** Sends a request by an API key. @returns the status; 0 without a response, as when no connection is free */
export async function send(url: string, key: string, body?: object): Promise<number> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const post = body && { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(url, { headers, redirect: 'manual', ...post }).catch(() => undefined);
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
