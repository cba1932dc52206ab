/** The server of every fake provider: records requests, fails on demand, and finds invented photos. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Size } from '../../lambda/requests/rendition';
import { type Listening, openServer } from '../http';
import { drawPhoto, type Orientation, type Photo, type Photos } from './photos';

/** A request to a fake provider. */
export interface FakeRequest {
  /** Base URL of the fake provider, for the URLs in its answers. */
  readonly base: string;
  readonly path: string;
  readonly parameters: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** A response of a fake provider. */
export interface FakeReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** The number of photos in the answer to a search. */
interface FakePage {
  readonly parameter: string;
  readonly default: number;
  readonly max: number;
}

/** A fake provider, by the interface of the real one. */
export interface FakeProvider {
  readonly photos: Photos;
  /** Header or parameter with the key, whose value is never recorded. */
  readonly keyIn?: string;
  /** The refusal of a request, unless it is for an image. */
  refusal?(request: FakeRequest): FakeReply | undefined;
  /** Replies to special words in a search, beside those of every provider. */
  readonly faults: Readonly<Record<string, FakeReply>>;
  readonly searchPath: string;
  /** The words of a search; none for another request. */
  wordsOf(parameters: URLSearchParams): string | null | undefined;
  /** Whether a photo must match all words. */
  requiresAll?(parameters: URLSearchParams): boolean;
  readonly page: FakePage;
  /** The parameter of a search that names a shape, and the provider's words for shapes. */
  readonly shapes?: readonly [parameter: string, shapes: Readonly<Record<string, Orientation>>];
  /** The request for one photo: a path with its number, or a parameter of a search. */
  readonly photoAt: RegExp | string;
  /** The reply for an unknown number of a photo; 404 by default. */
  missing?(parameters: URLSearchParams): FakeReply;
  /** The reply to requests for neither photos nor an image. */
  answer?(request: FakeRequest): FakeReply | undefined;
  /** The provider's record of a photo. @param index its place in the list */
  recordOf(photo: Photo, request: FakeRequest, index: number): object;
  /** The provider's answer to a search. */
  listOf(records: readonly object[]): object;
  /** The path of an image, with the name of its photo and perhaps a size. */
  readonly imageAt: RegExp;
  /** The photo by its name in the path of an image; by default the name is its token. */
  imaged?(name: string): Photo | undefined;
  /** The size of an image, or a refusal. @param sizeInPath the size in its path */
  sizeOf(photo: Photo, parameters: URLSearchParams, sizeInPath: string | undefined): Size | FakeReply;
}

/** Replies of every provider to special words. A search for `faketimeout` gets no reply at all. */
const commonFaults = {
  fakehtml: textReply('<!DOCTYPE html><title>Hello</title>', 200, { 'content-type': 'text/html' }),
  fake500: textReply('Internal Server Error', 500),
};

/** Headers with which an image is cached for an hour, and shown by any page. */
const imageHeaders = {
  'content-type': 'image/jpeg',
  'cache-control': 'max-age=3600',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
};

/**
 * Serves a fake provider. `GET /_requests` lists its requests so far, without the value of the key.
 * @param at its URL; without one, or where its port is taken, any free port
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
    if (!isList) requests.push(recorded);
    const request = { base: served.url, path, parameters, headers: headers as FakeRequest['headers'] };
    const reply = isList ? jsonReply({ requests }) : await replyOf(provider, request);
    if (reply) response.writeHead(reply.status, reply.headers).end(reply.body);
  };
  const port = at ? Number(new URL(at).port) : 0;
  const served = await openServer(port, answer).catch(() => openServer(0, answer));
  return served;
}

async function replyOf(provider: FakeProvider, request: FakeRequest): Promise<FakeReply | undefined> {
  const words = provider.wordsOf(request.parameters) ?? '';
  if (words.includes('faketimeout')) return undefined;
  const faultIn = (faults: FakeProvider['faults']) =>
    Object.entries(faults).find(([word]) => words.includes(word))?.[1];
  return (
    faultIn(commonFaults) ??
    (await imageFor(provider, request)) ??
    provider.refusal?.(request) ??
    faultIn(provider.faults) ??
    photosFor(provider, request, words) ??
    provider.answer?.(request) ??
    textReply('Not found', 404)
  );
}

async function imageFor(provider: FakeProvider, { path, parameters }: FakeRequest) {
  const { photos, imageAt, imaged = (token) => photos.byToken(token), sizeOf } = provider;
  const [, name, sizeInPath] = imageAt.exec(path) ?? [];
  const photo = name === undefined ? undefined : imaged(name);
  const size = photo && sizeOf(photo, parameters, sizeInPath);
  if (!size || 'status' in size) return size;
  return { status: 200, headers: imageHeaders, body: await drawPhoto(photo, size) };
}

/** The answer to a search, or to a request for one photo by its number. */
function photosFor(provider: FakeProvider, request: FakeRequest, words: string): FakeReply | undefined {
  const { photos, photoAt, page, shapes: [parameter, shapes] = ['', {}] } = provider;
  const { path, parameters } = request;
  const isSearch = path === provider.searchPath;
  const isListed = typeof photoAt === 'string';
  const number = isListed ? isSearch && parameters.get(photoAt) : photoAt.exec(path)?.[1];
  if (number) {
    const photo = photos.byNumber(Number(number));
    if (!photo) return provider.missing?.(parameters);
    const record = provider.recordOf(photo, request, 0);
    return jsonReply(isListed ? provider.listOf([record]) : record);
  }
  if (!isSearch) return undefined;
  const count = Number(parameters.get(page.parameter) ?? page.default);
  const shape = shapes[parameters.get(parameter) ?? ''] ?? 'any';
  const matches = photos.search(words, shape, Math.min(count, page.max), provider.requiresAll?.(parameters));
  return jsonReply(provider.listOf(matches.map((photo, index) => provider.recordOf(photo, request, index))));
}

/** A reply in JSON. */
export function jsonReply(value: unknown, status = 200): FakeReply {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

/** A reply in plain text. */
export function textReply(body: string, status: number, headers: FakeReply['headers'] = {}): FakeReply {
  return { status, headers: { 'content-type': 'text/plain', ...headers }, body };
}

/** A key that every fake provider refuses. */
export const badKey = 'bad-key';
