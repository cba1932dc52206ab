/** What the functions call in AWS beside their tables: Lambda's Invoke, Secrets Manager's GetSecretValue, and S3 for functions in containers. */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { functionTimeoutsS } from '../lambda/contract/timeouts';
import type { ImageLibrary } from '../lambda/images/image-library';
import { libraryPathOf } from '../lambda/images/library-path';
import { bodyOf } from './http';

/** One function, as Lambda calls it. */
export type LocalFunction = (
  event: unknown,
  context: { readonly functionName: string; getRemainingTimeInMillis(): number },
) => Promise<unknown>;

/** What the endpoint answers with, and who is told of what. */
export interface LocalAwsOptions {
  /** By name. May be filled after the start, as the functions are loaded with its URL in their environment. */
  readonly functions?: Readonly<Record<string, LocalFunction>>;
  /** The value of a secret by its id. */
  readonly secret?: (id: string) => string | undefined;
  /** What stands behind every bucket. */
  readonly library?: ImageLibrary;
  /** Receives the failures of asynchronous invocations, whose callers do not wait. */
  readonly onFailure: (error: unknown) => void;
}

/** The endpoint, without a server. */
export interface LocalAws {
  /** Answers a request. Rejects for one that is none of AWS's. */
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Waits for the invocations that run, and those that they begin. */
  drained(): Promise<void>;
}

interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: string | Buffer;
}

/** Most bytes of an invocation: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html. An image is larger. */
const bodyBytesMax = 32 * 1_048_576;

/** Functions on this machine do not wait for executions. */
const accountSettings = {
  AccountLimit: { ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: 1_000_000 },
};

/** Makes the endpoint. */
export function createLocalAws({ functions = {}, secret, library, onFailure }: LocalAwsOptions): LocalAws {
  const running = new Set<Promise<unknown>>();

  const invoke = async (name: string, body: Buffer, isEvent: boolean): Promise<Reply> => {
    const fn = Object.hasOwn(functions, name) ? functions[name] : undefined;
    if (!fn) return json(404, { Message: `Function not found: ${name}` }, 'ResourceNotFoundException');
    const outcome = run(name, fn, body);
    const ended = outcome
      .then(({ error }) => isEvent && error !== undefined && onFailure(error))
      .finally(() => running.delete(ended));
    running.add(ended);
    if (isEvent) return { status: 202 };
    const { payload, error } = await outcome;
    const failure = error === undefined ? {} : { 'x-amz-function-error': 'Unhandled' };
    return { status: 200, headers: { 'content-type': 'application/json', ...failure }, body: payload };
  };

  const replyTo = async (request: IncomingMessage, body: Buffer | undefined): Promise<Reply> => {
    if (!body) return json(413, { message: 'The payload is too large.' });
    const url = new URL(request.url ?? '/', 'http://aws');
    if (request.headers['x-amz-target'] === 'secretsmanager.GetSecretValue') {
      const { SecretId = '' } = JSON.parse(body.toString()) as { readonly SecretId?: string };
      const SecretString = secret?.(SecretId);
      if (SecretString === undefined) return json(400, { __type: 'ResourceNotFoundException' });
      return json(200, { Name: SecretId, SecretString, VersionStages: ['AWSCURRENT'] });
    }
    if (url.pathname === '/2016-08-19/account-settings') return json(200, accountSettings);
    const invoked = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(url.pathname)?.[1];
    if (invoked !== undefined)
      return invoke(decodeURIComponent(invoked), body, request.headers['x-amz-invocation-type'] === 'Event');
    return library ? fileReply(library, url, request, body) : { status: 404 };
  };

  return {
    async answer(request, response) {
      const { status, headers, body } = await replyTo(request, await bodyOf(request, bodyBytesMax));
      response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : body);
    },
    async drained() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** One invocation; unlike in AWS it is not cut off at the function's timeout, and never repeated. */
async function run(
  functionName: string,
  fn: LocalFunction,
  body: Buffer,
): Promise<{ readonly payload: string; readonly error?: unknown }> {
  const timeoutS = functionTimeoutsS[functionName as keyof typeof functionTimeoutsS] ?? 30;
  const endsMs = Date.now() + timeoutS * 1_000;
  const context = { functionName, getRemainingTimeInMillis: () => Math.max(0, endsMs - Date.now()) };
  try {
    const event: unknown = body.byteLength === 0 ? {} : JSON.parse(body.toString());
    return { payload: JSON.stringify(await fn(event, context)) ?? 'null' };
  } catch (error) {
    const { name: errorType = 'Error', message: errorMessage = String(error) } = (error ?? {}) as Error;
    return { payload: JSON.stringify({ errorType, errorMessage, trace: [] }), error };
  }
}

/** S3's calls of one file or of a list, on a path of the form `/bucket/key`. */
async function fileReply(
  library: ImageLibrary,
  { pathname, searchParams }: URL,
  { method, headers }: IncomingMessage,
  body: Buffer,
): Promise<Reply> {
  const xml = { 'content-type': 'application/xml' };
  if (searchParams.get('list-type') === '2') {
    let contents = '';
    for await (const path of library.list(searchParams.get('prefix') ?? ''))
      contents += `<Contents><Key>${path}</Key></Contents>`;
    const list = `<ListBucketResult><IsTruncated>false</IsTruncated>${contents}</ListBucketResult>`;
    return { status: 200, headers: xml, body: list };
  }
  const path = libraryPathOf(decodeURIComponent(pathname).split('/').slice(2).join('/'));
  if (method === 'PUT') {
    const isStored = await library.put(path, { bytes: body, mediaType: headers['content-type'] ?? '' });
    return isStored || headers['if-none-match'] !== '*'
      ? { status: 200, headers: { etag: `"${randomUUID()}"` } }
      : { status: 412, headers: xml, body: '<Error><Code>PreconditionFailed</Code></Error>' };
  }
  if (method === 'DELETE') {
    await library.remove(path);
    return { status: 204 };
  }
  const image = await library.get(path);
  if (!image) return { status: 404, headers: xml, body: '<Error><Code>NoSuchKey</Code></Error>' };
  const found = {
    'content-type': image.mediaType,
    'content-length': image.bytes.length,
    'last-modified': new Date().toUTCString(),
  };
  return { status: 200, headers: found, body: Buffer.from(image.bytes) };
}

/** @param errorType the error's name, as Lambda's API says it */
function json(status: number, body: object, errorType?: string): Reply {
  const error = errorType === undefined ? {} : { 'x-amzn-errortype': errorType };
  const headers = { 'content-type': 'application/x-amz-json-1.1', ...error };
  return { status, headers, body: JSON.stringify(body) };
}
