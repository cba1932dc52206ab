/** What a fake provider is made of, and how one is served on loopback: it records its requests and fails on demand. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Listening, listen } from '../http';

/** A request as fake providers read it. */
export interface FakeProviderRequest {
  /** The fake provider's own base URL, for the URLs it names. */
  readonly base: string;
  readonly path: string;
  readonly parameters: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** What a fake provider answers. */
export interface FakeProviderReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

type Headers = FakeProviderReply['headers'];

/** A provider by its interface: what it reads of a request, and how it answers. */
export interface FakeProvider {
  /** Parameter or header that carries the key; its value is never recorded. */
  readonly keyIn?: { readonly header?: string; readonly parameter?: string };
  /** The words that a request searches for, if it searches. */
  wordsOf(request: FakeProviderRequest): string | undefined;
  /** Answers as the provider documents it. */
  answer(request: FakeProviderRequest): Promise<FakeProviderReply> | FakeProviderReply;
}

/** One request as `/_requests` lists it; the key is `present` or `absent`, never itself. */
interface RecordedRequest {
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly key: 'present' | 'absent';
  readonly userAgent: string;
}

/** Requests that `/_requests` lists. */
const requestsMax = 10_000;

/**
 * Serves a fake provider. `GET /_requests` lists the last 10,000 requests; a search for `fakehtml`, `fake500` or
 * `faketimeout` fails as it does with every provider.
 * @param at its URL; on a free port where that is taken or none is given
 */
export async function serveFakeProvider(fakeProvider: FakeProvider, at?: string): Promise<Listening> {
  const requests: RecordedRequest[] = [];
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(incoming.url ?? '/', served.url);
    const request: FakeProviderRequest = {
      base: served.url,
      path: decodeURIComponent(url.pathname),
      parameters: url.searchParams,
      headers: incoming.headers as FakeProviderRequest['headers'],
      body: Buffer.concat(await incoming.toArray()).toString(),
    };
    const reply = await replyTo(request).catch((error: unknown) =>
      plain(`The fake provider itself failed: ${String(error)}`, 500),
    );
    // No reply: until the caller gives up.
    if (reply) response.writeHead(reply.status, reply.headers).end(reply.body);
  };

  const replyTo = async (request: FakeProviderRequest): Promise<FakeProviderReply | undefined> => {
    if (request.path === '/_requests') return json({ requests });
    if (requests.push(recordOf(fakeProvider, request)) > requestsMax) requests.shift();
    const words = fakeProvider.wordsOf(request) ?? '';
    if (words.includes('faketimeout')) return undefined;
    const faults = {
      fakehtml: plain('<!DOCTYPE html><title>Hello</title>', 200, { 'content-type': 'text/html' }),
      fake500: plain('Internal Server Error', 500),
    };
    return faultFor(words, faults) ?? fakeProvider.answer(request);
  };
  const served = await listen(Number(at ? new URL(at).port : 0), answer).catch(() => listen(0, answer));
  return served;
}

function recordOf(
  { keyIn = {} }: FakeProvider,
  { path, parameters, headers }: FakeProviderRequest,
): RecordedRequest {
  const { parameter = '', header = '' } = keyIn;
  return {
    path,
    parameters: Object.fromEntries([...parameters].filter(([name]) => name !== parameter)),
    key: parameters.get(parameter) || headers[header] ? 'present' : 'absent',
    userAgent: headers['user-agent'] ?? '',
  };
}

/** The reply of the first word among `faults` that a search contains, if any. */
export function faultFor(
  words: string,
  faults: Readonly<Record<string, FakeProviderReply>>,
): FakeProviderReply | undefined {
  return Object.entries(faults).find(([word]) => words.includes(word))?.[1];
}

/** A reply in JSON. */
export function json(value: unknown, headers: Headers = {}, status = 200): FakeProviderReply {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) };
}

/** A reply in plain text. */
export function plain(body: string, status: number, headers: Headers = {}): FakeProviderReply {
  return { status, headers: { 'content-type': 'text/plain', ...headers }, body };
}

/** A JPEG that may be cached for an hour. */
export function image(body: Uint8Array, headers: Headers = {}): FakeProviderReply {
  const own = { 'content-type': 'image/jpeg', 'cache-control': 'max-age=3600' };
  return { status: 200, headers: { ...own, ...headers }, body };
}

/** What providers send with images that pages of others load, so that isolated pages may show them, too. */
export const openToPages = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
} as const;

/** A reply with status 404. */
export const notFound: FakeProviderReply = plain('Not found', 404);

/** A key that every fake provider refuses. */
export const badKey = 'bad-key';
