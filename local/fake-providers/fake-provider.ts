/** The server of a fake provider. It records requests, and responds with invented photos. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Listening, openServer } from '../http';
import { drawPhoto, type FakePhoto, type Orientation, Photos } from './photos';

interface FakeRequest {
  /** Base URL of the fake provider, for the URLs in its replies. */
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

/** The interface of one fake provider, as far as it differs from the others. */
export interface FakeProvider {
  /** Header or parameter of the key. Its value is never recorded. */
  readonly keyIn?: string;
  /** Refuses a request that is not for an image. */
  refusal?(request: FakeRequest): FakeReply | undefined;
  readonly searchPath: string;
  readWords(parameters: URLSearchParams): string | null | undefined;
  /** Returns true if a photo must match all words. */
  requiresAll?(parameters: URLSearchParams): boolean;
  /** The parameter of a search that says how many photos to list. */
  readonly countIn: string;
  /** The parameter of a search that names a shape, and the provider's words for shapes. */
  readonly shapes?: readonly [parameter: string, shapes: Readonly<Record<string, Orientation>>];
  /** Reads the number of the wanted photo, if a request names one. */
  readNumber(path: string, parameters: URLSearchParams): string | null | undefined;
  /** The paths that report the use of a photo. */
  readonly reportAt?: RegExp;
  describePhoto(photo: FakePhoto, base: string, index: number): object;
  wrapRecords(records: readonly object[]): object;
  /** The path of an image. It has the token or number of the photo, and perhaps the width in pixels. */
  readonly imageAt: RegExp;
  /** Width in pixels of an image without `full_size`. */
  readonly thumbnailPx?: number;
}

/** Images may be cached for an hour, and any page may show them. */
const imageHeaders = {
  'content-type': 'image/jpeg',
  'cache-control': 'max-age=3600',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
};

/**
 * Serves a fake provider. `GET /_requests` lists its requests so far, without the value of the key.
 * @param at URL of the last start. Without one, or if its port is taken, any free port is used.
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
  const number = provider.readNumber(path, parameters);
  if (!isSearch && !number) return notFound;
  const matches = number ? photos.numbered(number) : searchPhotos(parameters, provider, photos);
  const records = matches.map((photo, index) => provider.describePhoto(photo, base, index));
  if (isSearch) return makeJsonReply(provider.wrapRecords(records));
  return records[0] ? makeJsonReply(records[0]) : notFound;
}

function searchPhotos(parameters: URLSearchParams, provider: FakeProvider, photos: Photos) {
  const { countIn, shapes: [shapeIn, shapes] = ['', {}] } = provider;
  const shape = shapes[parameters.get(shapeIn) ?? ''] ?? 'any';
  const count = Math.min(50, Number(parameters.get(countIn) ?? 20));
  return photos.search(
    provider.readWords(parameters) ?? '',
    shape,
    count,
    provider.requiresAll?.(parameters) ?? false,
  );
}

/** Creates a reply in JSON. */
export function makeJsonReply(value: unknown, status = 200): FakeReply {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

/** Creates a reply in plain text. */
export function makeTextReply(body: string, status: number): FakeReply {
  return { status, headers: { 'content-type': 'text/plain' }, body };
}

const notFound = makeTextReply('Not found', 404);

/** A key that every fake provider refuses. */
export const badKey = 'bad-key';
