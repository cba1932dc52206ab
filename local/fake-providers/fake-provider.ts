/** What every fake provider shares: it is served on loopback, records its requests, fails on demand, and answers searches with invented photos. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Size } from '../../lambda/requests/rendition';
import { type Listening, listen } from '../http';
import { drawPhoto, type Orientation, type Photo, type Photos } from './photos';

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

/** How many photos an answer to a search has. */
interface FakePage {
  readonly parameter: string;
  readonly default: number;
  readonly max: number;
  /** What is answered where another number is asked for; without it, an answer has `max` photos at most. */
  readonly refusal?: FakeReply;
}

/** A provider by its interface. */
export interface FakeProvider {
  readonly photos: Photos;
  /** Header or parameter that carries the key; its value is never recorded. */
  readonly keyIn?: string;
  /** Why a request for anything but an image is refused. */
  refusal?(request: FakeRequest): FakeReply | undefined;
  /** Replies to special words in a search, beside those of every provider. */
  readonly faults: Readonly<Record<string, FakeReply>>;
  readonly searchPath: string;
  /** The words that a request searches for, if it searches. */
  wordsOf(parameters: URLSearchParams): string | null | undefined;
  /** Whether a photo must match all words, not some. */
  requiresAll?(parameters: URLSearchParams): boolean;
  /** Whether a photo at a place of a search passes filters of the provider's own. */
  passes?(photo: Photo, parameters: URLSearchParams, index: number): boolean;
  readonly page: FakePage;
  /** The parameter of a search that names a shape, and the provider's words for shapes; any other word is none. */
  readonly shapes?: readonly [parameter: string, shapes: Readonly<Record<string, Orientation>>];
  /** How one photo is asked for: the path that has its number, or the parameter of a search that has. */
  readonly photoAt: RegExp | string;
  /** What is answered where there is no photo of a number; 404 by default. */
  missing?(parameters: URLSearchParams): FakeReply;
  /** What is answered to requests that ask neither for photos nor for an image. */
  answer?(request: FakeRequest): FakeReply | undefined;
  /** A photo as the provider writes it, at a place of its list. */
  recordOf(photo: Photo, request: FakeRequest, index: number): object;
  /** The answer to a search, and to whoever asks for one photo by a parameter. */
  listOf(records: readonly object[]): object;
  /** The path of an image, which names its photo. */
  readonly imageAt: RegExp;
  /** The photo of an image, by what its path names it with: its token by default. */
  imaged?(name: string): Photo | undefined;
  /** The size of an image, or why there is none. @param said what its path says beside the photo */
  sizeOf(photo: Photo, parameters: URLSearchParams, said: string | undefined): Size | FakeReply;
}

const requestsMax = 10_000;
/** Faults of every provider; `faketimeout` is one more, which gets no reply until the caller gives up. */
const faultsOfAll = {
  fakehtml: plain('<!DOCTYPE html><title>Hello</title>', 200, { 'content-type': 'text/html' }),
  fake500: plain('Internal Server Error', 500),
};

/** An image may be cached for an hour, and pages of others may show it, isolated ones too. */
const imageHeaders = {
  'content-type': 'image/jpeg',
  'cache-control': 'max-age=3600',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
};

/**
 * Serves a fake provider. `GET /_requests` lists the last 10,000 requests, whose key is `present` or `absent`.
 * @param at its URL; on a free port where that is taken or none is given
 */
export async function serveFakeProvider(provider: FakeProvider, at?: string): Promise<Listening> {
  const { keyIn = '' } = provider;
  const requests: object[] = [];
  const answer = async ({ url = '/', headers }: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams: parameters } = new URL(url, served.url);
    const path = decodeURIComponent(pathname);
    const recorded = {
      path,
      parameters: Object.fromEntries([...parameters].filter(([name]) => name !== keyIn)),
      key: parameters.get(keyIn) || headers[keyIn] ? 'present' : 'absent',
      userAgent: headers['user-agent'] ?? '',
    };
    const isList = path === '/_requests';
    if (!isList && requests.push(recorded) > requestsMax) requests.shift();
    const request = { base: served.url, path, parameters, headers: headers as FakeRequest['headers'] };
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
    (await imageFor(provider, request)) ??
    provider.refusal?.(request) ??
    faultIn(provider.faults) ??
    photosFor(provider, request, words) ??
    provider.answer?.(request) ??
    plain('Not found', 404)
  );
}

async function imageFor(provider: FakeProvider, { path, parameters }: FakeRequest) {
  const { photos, imageAt, imaged = (token) => photos.byToken(token), sizeOf } = provider;
  const [, name, said] = imageAt.exec(path) ?? [];
  const photo = name === undefined ? undefined : imaged(name);
  const size = photo && sizeOf(photo, parameters, said);
  if (!size || 'status' in size) return size;
  return { status: 200, headers: imageHeaders, body: await drawPhoto(photo, size) };
}

/** The photos of a search, or the one that is asked for by its number. */
function photosFor(provider: FakeProvider, request: FakeRequest, words: string): FakeReply | undefined {
  const { photos, photoAt, page, shapes: [parameter, shapes] = ['', {}], passes = () => true } = provider;
  const { path, parameters } = request;
  const isSearch = path === provider.searchPath;
  const isListed = typeof photoAt === 'string';
  const number = isListed ? isSearch && parameters.get(photoAt) : photoAt.exec(path)?.[1];
  if (number) {
    const photo = photos.byNumber(Number(number));
    if (!photo) return provider.missing?.(parameters);
    const record = provider.recordOf(photo, request, 0);
    return json(isListed ? provider.listOf([record]) : record);
  }
  if (!isSearch) return undefined;
  const count = Number(parameters.get(page.parameter) ?? page.default);
  if (count > page.max && page.refusal) return page.refusal;
  const shape = shapes[parameters.get(parameter) ?? ''] ?? 'any';
  const found = photos.search(words, shape, Math.min(count, page.max), provider.requiresAll?.(parameters));
  const records = found
    .filter((photo, index) => passes(photo, parameters, index))
    .map((photo, index) => provider.recordOf(photo, request, index));
  return json(provider.listOf(records));
}

/** A reply in JSON. */
export function json(value: unknown, status = 200): FakeReply {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

/** A reply in plain text. */
export function plain(body: string, status: number, headers: FakeReply['headers'] = {}): FakeReply {
  return { status, headers: { 'content-type': 'text/plain', ...headers }, body };
}

/** A key that every fake provider refuses. */
export const badKey = 'bad-key';
