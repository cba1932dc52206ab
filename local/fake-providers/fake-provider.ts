/** What every fake provider shares: it is served on loopback, records its requests, fails on demand, and answers searches with invented photos. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Listening, listen } from '../http';
import type { Orientation, Photo, Photos } from './photos';

/** A request as fake providers read it. */
export interface FakeRequest {
  /** The fake provider's own base URL, for the URLs it names. */
  readonly base: string;
  readonly path: string;
  readonly parameters: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** What a fake provider answers. */
export interface FakeReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** A provider by its interface. */
export interface FakeProvider {
  readonly photos: Photos;
  /** Parameter or header that carries the key; its value is never recorded. */
  readonly keyIn?: { readonly header?: string; readonly parameter?: string };
  /** The words that a request searches for, if it searches. */
  wordsOf(parameters: URLSearchParams): string | undefined;
  /** The image at a path, which asks for no key. */
  image?(request: FakeRequest): Promise<FakeReply> | undefined;
  /** Why a request for anything else is refused. */
  refusal?(request: FakeRequest): FakeReply | undefined;
  /** Replies to special words in a search, beside those of every provider. */
  readonly faults: Readonly<Record<string, FakeReply>>;
  /** What the provider answers otherwise; 404 where it has nothing. */
  answer(request: FakeRequest): FakeReply | undefined;
}

/** One request as `/_requests` lists it; the key is `present` or `absent`, never itself. */
interface RecordedRequest {
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly key: 'present' | 'absent';
  readonly userAgent: string;
}

const requestsMax = 10_000;
/** Faults of every provider; `faketimeout` is one more, which gets no reply until the caller gives up. */
const faultsOfAll = {
  fakehtml: plain('<!DOCTYPE html><title>Hello</title>', 200, { 'content-type': 'text/html' }),
  fake500: plain('Internal Server Error', 500),
};

/**
 * Serves a fake provider. `GET /_requests` lists the last 10,000 requests.
 * @param at its URL; on a free port where that is taken or none is given
 */
export async function serveFakeProvider(provider: FakeProvider, at?: string): Promise<Listening> {
  const requests: RecordedRequest[] = [];
  const answer = async ({ url = '/', headers }: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams: parameters } = new URL(url, served.url);
    const path = decodeURIComponent(pathname);
    const request = { base: served.url, path, parameters, headers: headers as FakeRequest['headers'] };
    const isList = path === '/_requests';
    if (!isList && requests.push(recordOf(provider, request)) > requestsMax) requests.shift();
    const reply = isList ? json({ requests }) : await replyOf(provider, request);
    if (reply) response.writeHead(reply.status, reply.headers).end(reply.body);
  };
  const served = await listen(Number(at ? new URL(at).port : 0), answer).catch(() => listen(0, answer));
  return served;
}

async function replyOf(provider: FakeProvider, request: FakeRequest): Promise<FakeReply | undefined> {
  const words = provider.wordsOf(request.parameters) ?? '';
  if (words.includes('faketimeout')) return undefined;
  const faultIn = (faults: FakeProvider['faults']) =>
    Object.entries(faults).find(([word]) => words.includes(word))?.[1];
  return (
    faultIn(faultsOfAll) ??
    (await provider.image?.(request)) ??
    provider.refusal?.(request) ??
    faultIn(provider.faults) ??
    provider.answer(request) ??
    plain('Not found', 404)
  );
}

function recordOf({ keyIn = {} }: FakeProvider, { path, parameters, headers }: FakeRequest): RecordedRequest {
  const { parameter = '', header = '' } = keyIn;
  return {
    path,
    parameters: Object.fromEntries([...parameters].filter(([name]) => name !== parameter)),
    key: parameters.get(parameter) || headers[header] ? 'present' : 'absent',
    userAgent: headers['user-agent'] ?? '',
  };
}

/** The photos of a search whose page size stands in `per_page`, and whose shape in `orientation`. */
export function pageOf(
  { photos, wordsOf }: FakeProvider,
  parameters: URLSearchParams,
  perPage: { readonly default: number; readonly max: number },
  orientations: Readonly<Record<string, Orientation>>,
): readonly Photo[] {
  const count = Math.min(Number(parameters.get('per_page') ?? perPage.default), perPage.max);
  return photos.search(
    wordsOf(parameters) ?? '',
    orientations[parameters.get('orientation') ?? ''] ?? 'any',
    count,
  );
}

/** A reply in JSON. */
export function json(value: unknown, status = 200): FakeReply {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

/** A reply in plain text. */
export function plain(body: string, status: number, headers: FakeReply['headers'] = {}): FakeReply {
  return { status, headers: { 'content-type': 'text/plain', ...headers }, body };
}

/** A JPEG that may be cached for an hour, and that pages of others may show, isolated ones too. */
export async function image(body: Promise<Uint8Array>): Promise<FakeReply> {
  const headers = {
    'content-type': 'image/jpeg',
    'cache-control': 'max-age=3600',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  };
  return { status: 200, headers, body: await body };
}

/** A key that every fake provider refuses. */
export const badKey = 'bad-key';
