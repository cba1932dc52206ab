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

/** Most bytes of an invocation: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html. An image is larger. */
const bodyBytesMax = 32 * 1_048_576;

/** Functions on this machine do not wait for executions. */
const accountSettings = {
  AccountLimit: { ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: 1_000_000 },
};

/** Makes the endpoint. */
export function createLocalAws(options: LocalAwsOptions): LocalAws {
  const { functions = {}, secret = () => undefined, library, onFailure } = options;
  const running = new Set<Promise<unknown>>();

  const invoke = async (name: string, body: Buffer, request: IncomingMessage, response: ServerResponse) => {
    const fn = Object.hasOwn(functions, name) ? functions[name] : undefined;
    if (!fn)
      return sendJson(response, 404, { Message: `Function not found: ${name}` }, 'ResourceNotFoundException');
    const isEvent = request.headers['x-amz-invocation-type'] === 'Event';
    if (isEvent) response.writeHead(202).end();
    const outcome = run(name, fn, body);
    running.add(outcome);
    const { payload, error } = await outcome.finally(() => running.delete(outcome));
    if (isEvent) return error === undefined ? undefined : onFailure(error);
    const failure = error === undefined ? {} : { 'x-amz-function-error': 'Unhandled' };
    response.writeHead(200, { 'content-type': 'application/json', ...failure }).end(payload);
  };

  return {
    async answer(request, response) {
      const body = await bodyOf(request, bodyBytesMax);
      if (!body) return sendJson(response, 413, { message: 'The payload is too large.' });
      const { pathname } = new URL(request.url ?? '/', 'http://aws');
      if (request.headers['x-amz-target'] === 'secretsmanager.GetSecretValue')
        return sendSecret(secret, body, response);
      if (pathname === '/2016-08-19/account-settings') return sendJson(response, 200, accountSettings);
      const invoked = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(pathname)?.[1];
      if (invoked !== undefined) return invoke(decodeURIComponent(invoked), body, request, response);
      if (library) return sendFile(library, body, request, response);
      response.writeHead(404).end();
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

function sendSecret(
  secret: (id: string) => string | undefined,
  body: Buffer,
  response: ServerResponse,
): void {
  const { SecretId = '' } = JSON.parse(body.toString()) as { readonly SecretId?: string };
  const SecretString = secret(SecretId);
  if (SecretString === undefined) sendJson(response, 400, { __type: 'ResourceNotFoundException' });
  else sendJson(response, 200, { Name: SecretId, SecretString, VersionStages: ['AWSCURRENT'] });
}

/** S3's calls of one file or of a list, on a path of the form `/bucket/key`. */
async function sendFile(
  library: ImageLibrary,
  body: Buffer,
  { method, url = '', headers }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams } = new URL(url, 'http://aws');
  const xml = { 'content-type': 'application/xml' };
  if (searchParams.get('list-type') === '2') {
    let contents = '';
    for await (const path of library.list(searchParams.get('prefix') ?? ''))
      contents += `<Contents><Key>${path}</Key></Contents>`;
    const list = `<ListBucketResult><IsTruncated>false</IsTruncated>${contents}</ListBucketResult>`;
    return void response.writeHead(200, xml).end(list);
  }
  const path = libraryPathOf(decodeURIComponent(pathname).split('/').slice(2).join('/'));
  if (method === 'PUT') {
    const mediaType = headers['content-type'] ?? '';
    const isStored = await library.put(path, { bytes: body, mediaType });
    if (!isStored && headers['if-none-match'] === '*')
      return void response.writeHead(412, xml).end('<Error><Code>PreconditionFailed</Code></Error>');
    return void response.writeHead(200, { etag: `"${randomUUID()}"` }).end();
  }
  if (method === 'DELETE') {
    await library.remove(path);
    return void response.writeHead(204).end();
  }
  const image = await library.get(path);
  if (!image) return void response.writeHead(404, xml).end('<Error><Code>NoSuchKey</Code></Error>');
  const { bytes, mediaType } = image;
  const found = {
    'content-type': mediaType,
    'content-length': bytes.length,
    'last-modified': new Date().toUTCString(),
  };
  response.writeHead(200, found).end(method === 'HEAD' ? undefined : bytes);
}

/** @param errorType the error's name, as Lambda's API says it */
function sendJson(response: ServerResponse, status: number, body: object, errorType?: string): void {
  const error = errorType === undefined ? {} : { 'x-amzn-errortype': errorType };
  response
    .writeHead(status, { 'content-type': 'application/x-amz-json-1.1', ...error })
    .end(JSON.stringify(body));
}
