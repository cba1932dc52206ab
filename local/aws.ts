/** The AWS services other than DynamoDB: Lambda, Secrets Manager, and S3 for containers. */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { functionTimeoutsS } from '../lambda/contract/timeouts';
import type { ImageStore } from '../lambda/images/image-store';
import { toStoredPath } from '../lambda/images/stored-path';
import { receiveBody } from './http';

export type LocalFunction = (
  event: unknown,
  context: { readonly functionName: string; getRemainingTimeInMillis(): number },
) => Promise<unknown>;

export interface LocalAwsOptions {
  readonly functions?: Readonly<Record<string, LocalFunction>>;
  readonly secret?: (id: string) => string | undefined;
  /** All buckets have the same files. */
  readonly imageStore?: ImageStore;
  /** Receives the failures of asynchronous invocations, because their callers do not wait. */
  readonly onFailure: (error: unknown) => void;
}

export interface LocalAws {
  /** Responds to a request. Rejects if the request has not the form of AWS. */
  respond(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Resolves when no invocation runs. */
  drained(): Promise<void>;
}

interface AwsResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: string | Buffer;
}

/** Most bytes of a request. Lambda takes 6 MB, but an image may be larger. */
const bodyBytesMax = 32 * 1_048_576;

/** Quotas that are so high that every request on this machine may wait. */
const accountSettings = {
  AccountLimit: { ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: 1_000_000 },
};

/** Creates the endpoint of all these services. */
export function createLocalAws({ functions = {}, secret, imageStore, onFailure }: LocalAwsOptions): LocalAws {
  const running = new Set<Promise<unknown>>();

  const invoke = async (name: string, body: Buffer, isEvent: boolean): Promise<AwsResponse> => {
    const fn = Object.hasOwn(functions, name) ? functions[name] : undefined;
    if (!fn)
      return makeJsonResponse(404, { Message: `Function not found: ${name}` }, 'ResourceNotFoundException');
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

  const createResponse = async (request: IncomingMessage, body: Buffer | undefined): Promise<AwsResponse> => {
    if (!body) return makeJsonResponse(413, { message: 'The payload is too large.' });
    const url = new URL(request.url ?? '/', 'http://aws');
    if (request.headers['x-amz-target'] === 'secretsmanager.GetSecretValue') {
      const { SecretId = '' } = JSON.parse(body.toString()) as { readonly SecretId?: string };
      const SecretString = secret?.(SecretId);
      if (SecretString === undefined) return makeJsonResponse(400, { __type: 'ResourceNotFoundException' });
      return makeJsonResponse(200, { Name: SecretId, SecretString, VersionStages: ['AWSCURRENT'] });
    }
    if (url.pathname === '/2016-08-19/account-settings') return makeJsonResponse(200, accountSettings);
    const name = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(url.pathname)?.[1];
    if (name !== undefined)
      return invoke(decodeURIComponent(name), body, request.headers['x-amz-invocation-type'] === 'Event');
    return imageStore ? respondWithFile(imageStore, url, request, body) : { status: 404 };
  };

  return {
    async respond(request, response) {
      const { status, headers, body } = await createResponse(
        request,
        await receiveBody(request, bodyBytesMax),
      );
      response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : body);
    },
    async drained() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** Runs an invocation. Unlike in AWS, it has no timeout and is never repeated. */
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

/** Responds to S3's calls for a file or a list. The path has the form `/bucket/key`. */
async function respondWithFile(
  imageStore: ImageStore,
  { pathname, searchParams }: URL,
  { method, headers }: IncomingMessage,
  body: Buffer,
): Promise<AwsResponse> {
  const xml = { 'content-type': 'application/xml' };
  if (searchParams.get('list-type') === '2') {
    let contents = '';
    for await (const path of imageStore.list(searchParams.get('prefix') ?? ''))
      contents += `<Contents><Key>${path}</Key></Contents>`;
    const list = `<ListBucketResult><IsTruncated>false</IsTruncated>${contents}</ListBucketResult>`;
    return { status: 200, headers: xml, body: list };
  }
  const path = toStoredPath(decodeURIComponent(pathname).split('/').slice(2).join('/'));
  if (method === 'PUT') {
    const isStored = await imageStore.put(path, body);
    return isStored || headers['if-none-match'] !== '*'
      ? { status: 200, headers: { etag: `"${randomUUID()}"` } }
      : { status: 412, headers: xml, body: '<Error><Code>PreconditionFailed</Code></Error>' };
  }
  if (method === 'DELETE') {
    await imageStore.remove(path);
    return { status: 204 };
  }
  const image = await imageStore.get(path);
  if (!image) return { status: 404, headers: xml, body: '<Error><Code>NoSuchKey</Code></Error>' };
  const imageHeaders = {
    'content-type': image.mediaType,
    'content-length': image.bytes.length,
    'last-modified': new Date().toUTCString(),
  };
  return { status: 200, headers: imageHeaders, body: Buffer.from(image.bytes) };
}

/** Creates a response in JSON. @param errorType name of the error in Lambda's API */
function makeJsonResponse(status: number, body: object, errorType?: string): AwsResponse {
  const error = errorType === undefined ? {} : { 'x-amzn-errortype': errorType };
  const headers = { 'content-type': 'application/x-amz-json-1.1', ...error };
  return { status, headers, body: JSON.stringify(body) };
}
