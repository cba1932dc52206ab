/** Serves one fake provider on loopback, records what it is asked, and fails on demand. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type FakeProvider,
  type FakeProviderReply,
  type FakeProviderRequest,
  html,
  plain,
} from './fake-provider';

/** One request as `/_asked` lists it; the key is `present` or `absent`, never itself. */
interface AskedOfFakeProvider {
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly key: 'present' | 'absent';
  readonly userAgent: string;
}

export interface ServedFakeProvider {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** @param port 0 lets the system choose one */
export async function serveFakeProvider(fakeProvider: FakeProvider, port = 0): Promise<ServedFakeProvider> {
  const asked: AskedOfFakeProvider[] = [];
  let endpoint = '';

  const server = createServer(async (incoming, response) => {
    const request = read(incoming, endpoint);
    if (request.path === '/_asked') return send(response, jsonOf({ asked }));
    asked.push(recordOf(fakeProvider, request));
    try {
      const words = fakeProvider.wordsOf(request) ?? '';
      if (words.includes('faketimeout')) return; // Until the caller gives up.
      send(response, faultFor(words) ?? (await fakeProvider.answer(request)));
    } catch (error) {
      send(response, plain(`The fake provider itself failed: ${String(error)}`, 500));
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    endpoint,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function read(incoming: IncomingMessage, base: string): FakeProviderRequest {
  const url = new URL(incoming.url ?? '/', base);
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );
  return { base, path: decodeURIComponent(url.pathname), parameters: url.searchParams, headers };
}

function recordOf(
  { keyIn = {} }: FakeProvider,
  { path, parameters, headers }: FakeProviderRequest,
): AskedOfFakeProvider {
  const key =
    (keyIn.parameter === undefined ? undefined : parameters.get(keyIn.parameter)) ??
    (keyIn.header === undefined ? undefined : headers[keyIn.header]);
  return {
    path,
    parameters: Object.fromEntries([...parameters].filter(([name]) => name !== keyIn.parameter)),
    key: key ? 'present' : 'absent',
    userAgent: headers['user-agent'] ?? '',
  };
}

/** Faults that look the same with every provider. */
function faultFor(words: string): FakeProviderReply | undefined {
  if (words.includes('fakehtml')) return html('<!DOCTYPE html><title>Hello</title>', 200);
  if (words.includes('fake500')) return plain('Internal Server Error', 500);
  return undefined;
}

function jsonOf(value: unknown): FakeProviderReply {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

function send(response: ServerResponse, { status, headers, body }: FakeProviderReply): void {
  response.writeHead(status, headers).end(body);
}
