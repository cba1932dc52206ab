/** Use this S3 where code calls S3 itself: the part of its API that we use, with failures on demand. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { listenOnLoopback } from './loopback';

export type ScriptedS3 = Awaited<ReturnType<typeof startScriptedS3>>;

interface StoredObject {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

export async function startScriptedS3() {
  const objects = new Map<string, StoredObject>();
  /** Statuses that the next requests get instead of an answer, in order; 0 hangs up without one. */
  const failures: (number | undefined)[] = [];
  /** Of every request, in order. */
  const requests: { method: string; path: string; headers: IncomingMessage['headers'] }[] = [];
  /** The time of its clock, milliseconds since the epoch. */
  const s3 = { nowMs: Date.UTC(2026, 10, 21) };

  const fail = (response: ServerResponse, status: number) => {
    const code = status === 409 ? 'ConditionalRequestConflict' : 'Error';
    response
      .writeHead(status, { 'content-type': 'application/xml' })
      .end(`<Error><Code>${code}</Code></Error>`);
  };

  const { address, stop } = await listenOnLoopback(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://s3');
    const body = Buffer.concat(await request.toArray());
    requests.push({ method: request.method ?? '', path: pathname, headers: request.headers });
    const failure = failures.shift();
    if (failure === 0) return response.destroy();
    if (failure !== undefined) return fail(response, failure);
    const object = objects.get(pathname);
    if (searchParams.get('list-type') === '2') {
      const bucket = `/${pathname.split('/')[1]}/`;
      const keys = [...objects.keys()].map((path) => path.slice(bucket.length));
      return response
        .writeHead(200, { 'content-type': 'application/xml' })
        .end(writeListing(keys, searchParams));
    }
    switch (request.method) {
      case 'PUT': {
        const source = objects.get(`/${request.headers['x-amz-copy-source']}`);
        if (request.headers['if-none-match'] === '*' && object) return fail(response, 412);
        // S3 copies nothing to itself unless the copy changes something.
        if (source && source === object && request.headers['x-amz-metadata-directive'] !== 'REPLACE')
          return fail(response, 400);
        const { 'content-type': type = '', 'cache-control': caching = '' } = request.headers;
        const headers = { 'content-type': type, 'cache-control': caching };
        const dated = { ...headers, 'last-modified': new Date(s3.nowMs).toUTCString() };
        objects.set(pathname, { body: source?.body ?? body, headers: dated });
        if (source) return response.writeHead(200).end('<CopyObjectResult></CopyObjectResult>');
        return response.writeHead(200, { etag: '"e"' }).end();
      }
      case 'DELETE':
        objects.delete(pathname);
        return response.writeHead(204).end();
      default:
        if (!object) return fail(response, 404);
        return response.writeHead(200, object.headers).end(object.body);
    }
  });
  return Object.assign(s3, { endpoint: address, failures, requests, stop });
}

/** A page of at most three keys, so that every longer list has several. */
function writeListing(keys: readonly string[], parameters: URLSearchParams): string {
  const token = parameters.get('continuation-token') ?? '';
  const matching = keys.filter((key) => key.startsWith(parameters.get('prefix') ?? '') && key > token).sort();
  const page = matching.slice(0, 3);
  const isLast = page.length === matching.length;
  const contents = page.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('');
  const nextToken = isLast ? '' : `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>`;
  return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${!isLast}</IsTruncated>${contents}${nextToken}</ListBucketResult>`;
}
