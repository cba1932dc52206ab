/** `mcp`: offers a service to models over stdio, one message a line, which it passes on to the service over HTTP. */

import { createInterface } from 'node:readline';
import { UsageError } from './usage-error';

const timeoutMs = 60_000;

export async function mcp(): Promise<number> {
  const { IMAGE_REDIRECT_URL: url, IMAGE_REDIRECT_KEY: key } = process.env;
  if (!url || !URL.canParse(url)) throw new UsageError('Set IMAGE_REDIRECT_URL to the root of the service.');
  const endpoint = `${url.replace(/\/+$/, '')}/mcp`;
  const answering = new Set<Promise<void>>();
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === '') continue;
    const answer = pass(line, endpoint, key).then((text) => {
      if (text) process.stdout.write(`${text}\n`);
    });
    answering.add(answer);
    void answer.finally(() => answering.delete(answer));
  }
  await Promise.all(answering);
  return 0;
}

/** @returns the answer in one line; empty for a notification, which has none */
async function pass(line: string, endpoint: string, key: string | undefined): Promise<string> {
  const id = idOf(line);
  const failed = (message: string) =>
    id === undefined ? '' : JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_603, message } });
  try {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...(key && { 'X-API-Key': key }),
      },
      body: line,
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    if (response.status === 202 || text === '') return '';
    const answer = JSON.parse(text) as { readonly jsonrpc?: string; readonly detail?: string };
    return answer.jsonrpc ? JSON.stringify(answer) : failed(answer.detail ?? `HTTP ${response.status}`);
  } catch (error) {
    return failed(`${endpoint} did not answer: ${(error as Error).message}`);
  }
}

/** The id of a request; `undefined` for a notification; `null` for what is no JSON. */
function idOf(line: string): string | number | null | undefined {
  try {
    return (JSON.parse(line) as { readonly id?: string | number }).id;
  } catch {
    return null;
  }
}
