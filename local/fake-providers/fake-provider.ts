/** Serves a fake provider, which records requests and responds with invented photos. */

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { type Listening, openServer } from '../http';
import { drawPhoto, type FakePhoto, type Orientation, Photos } from './photos';

/** The interface of one fake provider, as far as it differs from the others. */
export interface FakeProvider {
  /** Refuses a request that is not for an image. */
  refuse?(parameters: URLSearchParams, headers: IncomingHttpHeaders): Response | undefined;
  readonly searchPath: string;
  readWords(parameters: URLSearchParams): string | null | undefined;
  /** Returns true if a photo must match all words. */
  requiresAll?(parameters: URLSearchParams): boolean;
  /** The parameter of a search that says how many photos to list. */
  readonly countParameter: string;
  /** The parameter of a search that names a shape, and the provider's words for shapes. */
  readonly shapes?: readonly [parameter: string, shapes: Readonly<Record<string, Orientation>>];
  /** Reads the number of the wanted photo, if a request names one. */
  readNumber(path: string, parameters: URLSearchParams): string | null | undefined;
  /** The paths that report the use of a photo. */
  readonly reportPath?: RegExp;
  makeRecord(photo: FakePhoto, base: string, index: number): object;
  makeResult(records: readonly object[]): object;
  /** The path of an image. It has the token or number of the photo, and perhaps the width in pixels. */
  readonly imagePath: RegExp;
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
 * Serves a fake provider. `GET /_requests` lists its requests so far, without their keys.
 * @param earlierUrl URL of the last start. Without one, or if its port is taken, any free port is used.
 */
export async function serveFakeProvider(
  name: string,
  provider: FakeProvider,
  earlierUrl?: string,
): Promise<Listening> {
  const photos = new Photos(name);
  const requests: object[] = [];
  const respond = async (
    { url = '/', headers }: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const fullUrl = new URL(url, server.url);
    const isList = fullUrl.pathname === '/_requests';
    const { key: _key, ...parameters } = Object.fromEntries(fullUrl.searchParams);
    if (!isList) requests.push({ parameters, userAgent: headers['user-agent'] ?? '' });
    const reply = isList ? Response.json({ requests }) : await makeReply(provider, photos, fullUrl, headers);
    const body = Buffer.from(await reply.arrayBuffer());
    response.writeHead(reply.status, Object.fromEntries(reply.headers)).end(body);
  };
  const port = earlierUrl ? Number(new URL(earlierUrl).port) : 0;
  const server = await openServer(port, respond).catch(() => openServer(0, respond));
  return server;
}

async function makeReply(provider: FakeProvider, photos: Photos, url: URL, headers: IncomingHttpHeaders) {
  const { origin, searchParams: parameters } = url;
  const path = decodeURIComponent(url.pathname);
  const [, imageName, widthInPath] = provider.imagePath.exec(path) ?? [];
  if (imageName !== undefined) {
    const photo = photos.findByName(imageName);
    const thumbnailPx = parameters.has('full_size') ? undefined : provider.thumbnailPx;
    const widthPx = Number(parameters.get('w') ?? widthInPath ?? thumbnailPx ?? photo.widthPx);
    const heightPx = Number(parameters.get('h') ?? (widthPx / photo.widthPx) * photo.heightPx);
    const body = await drawPhoto(photo, { widthPx, heightPx: Math.round(heightPx) });
    return new Response(new Uint8Array(body), { headers: imageHeaders });
  }
  const refusal = provider.refuse?.(parameters, headers);
  if (refusal) return refusal;
  if (provider.reportPath?.test(path)) return Response.json({ url: origin });
  const isSearch = path === provider.searchPath;
  const number = provider.readNumber(path, parameters);
  const results = isSearch ? searchPhotos(parameters, provider, photos) : [];
  const matches = number ? photos.listByNumber(number) : results;
  const records = matches.map((photo, index) => provider.makeRecord(photo, origin, index));
  if (isSearch) return Response.json(provider.makeResult(records));
  return records[0] ? Response.json(records[0]) : new Response('Not found', { status: 404 });
}

function searchPhotos(parameters: URLSearchParams, provider: FakeProvider, photos: Photos) {
  const { countParameter, shapes: [shapeParameter, shapes] = ['', {}] } = provider;
  const shape = shapes[parameters.get(shapeParameter) ?? ''] ?? 'any';
  const count = Math.min(50, Number(parameters.get(countParameter) ?? 20));
  const requiresAll = provider.requiresAll?.(parameters) ?? false;
  return photos.search(provider.readWords(parameters) ?? '', shape, count, requiresAll);
}

/** A key that every fake provider refuses. */
export const badKey = 'bad-key';
