/** Serves every fake provider: records requests, and answers them with invented photos. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Listening, openServer } from '../http';
import { drawPhoto, type FakePhoto, type Orientation, Photos } from './photos';

interface FakeRequest {
  /** Base URL of the fake provider, for the URLs in its answers. */
  readonly base: string;
  readonly path: string;
  readonly parameters: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

interface FakeReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** A fake provider, by what its interface has of its own. */
export interface FakeProvider {
  /** Header or parameter with the key, whose value is never recorded. */
  readonly keyIn?: string;
  /** The refusal of a request, unless it is for an image. */
  refusal?(request: FakeRequest): FakeReply | undefined;
  readonly searchPath: string;
  wordsIn(parameters: URLSearchParams): string | null | undefined;
  /** Whether a photo must match all words. */
  requiresAll?(parameters: URLSearchParams): boolean;
  /** The parameter of a search with the number of photos to list. */
  readonly countIn: string;
  /** The parameter of a search that names a shape, and the provider's words for shapes. */
  readonly shapes?: readonly [parameter: string, shapes: Readonly<Record<string, Orientation>>];
  /** The number of the photo that a request is about, in a path of its own or in a parameter of a search. */
  numberIn(path: string, parameters: URLSearchParams): string | null | undefined;
  /** The paths at which the use of a photo is reported. */
  readonly reportAt?: RegExp;
  /** The provider's record of a photo at a place in the list. */
  recordOf(photo: FakePhoto, base: string, index: number): object;
  /** The provider's answer to a search. */
  listOf(records: readonly object[]): object;
  /** The path of an image, with the token or number of its photo and perhaps its width in pixels. */
  readonly imageAt: RegExp;
  /** Width in pixels of an image that is asked for without `full_size`. */
  readonly thumbnailPx?: number;
}

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
export async function serveFakeProvider(
  name: string,
  provider: FakeProvider,
  at?: string,
): Promise<Listening> {
  const { keyIn = '' } = provider;
  const photos = new Photos(name);
  const requests: object[] = [];
  const handle = async ({ url = '/', headers }: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams: parameters } = new URL(url, served.url);
    const path = decodeURIComponent(pathname);
    const recorded = {
      path,
      parameters: Object.fromEntries([...parameters].filter(([parameter]) => parameter !== keyIn)),
      key: parameters.get(keyIn) || headers[keyIn] ? 'present' : 'absent',
      userAgent: headers['user-agent'] ?? '',
    };
    const isList = path === '/_requests';
    if (!isList) requests.push(recorded);
    const request = { base: served.url, path, parameters, headers: headers as FakeRequest['headers'] };
    const reply = isList ? makeJsonReply({ requests }) : await replyTo(request, provider, photos);
    response.writeHead(reply.status, reply.headers).end(reply.body);
  };
  const port = at ? Number(new URL(at).port) : 0;
  const served = await openServer(port, handle).catch(() => openServer(0, handle));
  return served;
}

async function replyTo(request: FakeRequest, provider: FakeProvider, photos: Photos): Promise<FakeReply> {
  const { base, path, parameters } = request;
  const [, imageName, widthInPath] = provider.imageAt.exec(path) ?? [];
  if (imageName !== undefined) {
    const photo = photos.named(imageName);
    const thumbnailPx = parameters.has('full_size') ? undefined : provider.thumbnailPx;
    const widthPx = Number(parameters.get('w') ?? widthInPath ?? thumbnailPx ?? photo.widthPx);
    const heightPx = Number(parameters.get('h') ?? (widthPx / photo.widthPx) * photo.heightPx);
    const body = await drawPhoto(photo, { widthPx, heightPx: Math.round(heightPx) });
    return { status: 200, headers: imageHeaders, body };
  }
  const refusal = provider.refusal?.(request);
  if (refusal) return refusal;
  if (provider.reportAt?.test(path)) return makeJsonReply({ url: base });
  const isSearch = path === provider.searchPath;
  const number = provider.numberIn(path, parameters);
  if (!isSearch && !number) return notFound;
  const matches = number ? photos.numbered(number) : searchPhotos(parameters, provider, photos);
  const records = matches.map((photo, index) => provider.recordOf(photo, base, index));
  if (isSearch) return makeJsonReply(provider.listOf(records));
  return records[0] ? makeJsonReply(records[0]) : notFound;
}

function searchPhotos(parameters: URLSearchParams, provider: FakeProvider, photos: Photos) {
  const { countIn, shapes: [shapeIn, shapes] = ['', {}] } = provider;
  const shape = shapes[parameters.get(shapeIn) ?? ''] ?? 'any';
  const count = Math.min(50, Number(parameters.get(countIn) ?? 20));
  return photos.search(
    provider.wordsIn(parameters) ?? '',
    shape,
    count,
    provider.requiresAll?.(parameters) ?? false,
  );
}

/** Makes a reply in JSON. */
export function makeJsonReply(value: unknown, status = 200): FakeReply {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

/** Makes a reply in plain text. */
export function makeTextReply(body: string, status: number): FakeReply {
  return { status, headers: { 'content-type': 'text/plain' }, body };
}

const notFound = makeTextReply('Not found', 404);

/** A key that every fake provider refuses. */
export const badKey = 'bad-key';
