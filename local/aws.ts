/** Replaces the AWS services other than DynamoDB: Lambda, Secrets Manager, and S3 for containers. */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { functionTimeoutsS } from '../lambda/contract/timeouts';
import type { ImageStore } from '../lambda/images/image-store';
import { requireStoredPath } from '../lambda/images/stored-path';

export type LocalFunction = (
  event: unknown,
  context: { readonly functionName: string; getRemainingTimeInMillis(): number },
) => Promise<unknown>;

interface LocalAwsOptions {
  readonly functions?: Readonly<Record<string, LocalFunction>>;
  readonly findSecret?: (id: string) => string | undefined;
  /** All buckets have the same files. */
  readonly imageStore?: ImageStore;
  /** Receives the failures of asynchronous invocations, because their callers do not wait. */
  readonly onFailure: (error: unknown) => void;
}

interface AwsResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: string | Buffer;
}

/** Quotas that are so high that every request on this machine may wait. */
const accountSettings = {
  AccountLimit: { ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: 1_000_000 },
};

/** Creates the endpoint of Lambda, Secrets Manager and S3. */
export function createLocalAws({ functions = {}, findSecret, imageStore, onFailure }: LocalAwsOptions) {
  const running = new Set<Promise<unknown>>();

  const respondToInvocation = async (name: string, body: Buffer, isEvent: boolean): Promise<AwsResponse> => {
    const lambdaFunction = Object.hasOwn(functions, name) ? functions[name] : undefined;
    if (!lambdaFunction) return makeJsonResponse(404, { __type: 'ResourceNotFoundException' });
    const outcome = invokeFunction(name, lambdaFunction, body);
    const invocation = outcome
      .then(({ error }) => isEvent && error !== undefined && onFailure(error))
      .finally(() => running.delete(invocation));
    running.add(invocation);
    if (isEvent) return { status: 202 };
    const { payload, error } = await outcome;
    const failure = error === undefined ? {} : { 'x-amz-function-error': 'Unhandled' };
    return { status: 200, headers: { 'content-type': 'application/json', ...failure }, body: payload };
  };

  const makeResponse = async (request: IncomingMessage): Promise<AwsResponse> => {
    const body = await buffer(request);
    const url = new URL(request.url ?? '/', 'http://aws');
    if (request.headers['x-amz-target'] === 'secretsmanager.GetSecretValue') {
      const { SecretId } = JSON.parse(body.toString());
      const SecretString = findSecret?.(SecretId);
      if (SecretString === undefined) return makeJsonResponse(400, { __type: 'ResourceNotFoundException' });
      return makeJsonResponse(200, { Name: SecretId, SecretString, VersionStages: ['AWSCURRENT'] });
    }
    if (url.pathname === '/2016-08-19/account-settings') return makeJsonResponse(200, accountSettings);
    const name = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(url.pathname)?.[1];
    if (name !== undefined)
      return respondToInvocation(name, body, request.headers['x-amz-invocation-type'] === 'Event');
    return imageStore ? respondToS3(imageStore, url, request, body) : { status: 404 };
  };

  return {
    /** Responds to a request. Rejects if the request has not the form of AWS. */
    async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const { status, headers, body } = await makeResponse(request);
      response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : body);
    },
    /** Resolves when no invocation runs. */
    async awaitDrained(): Promise<void> {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** Runs an invocation. Unlike in AWS, it has no timeout and is never repeated. */
async function invokeFunction(functionName: string, lambdaFunction: LocalFunction, body: Buffer) {
  const timeoutS = functionTimeoutsS[functionName as keyof typeof functionTimeoutsS] ?? 30;
  const endsMs = Date.now() + timeoutS * 1_000;
  const context = { functionName, getRemainingTimeInMillis: () => Math.max(0, endsMs - Date.now()) };
  try {
    const event: unknown = body.byteLength === 0 ? {} : JSON.parse(body.toString());
    return { payload: JSON.stringify(await lambdaFunction(event, context)) ?? 'null' };
  } catch (error) {
    const { name: errorType = 'Error', message: errorMessage = String(error) } = (error ?? {}) as Error;
    return { payload: JSON.stringify({ errorType, errorMessage, trace: [] }), error };
  }
}

/** Responds to a call of S3 for a file or a list. The path has the form `/bucket/key`. */
async function respondToS3(
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
  const path = requireStoredPath(decodeURIComponent(pathname).split('/').slice(2).join('/'));
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

function makeJsonResponse(status: number, body: object): AwsResponse {
  return { status, headers: { 'content-type': 'application/x-amz-json-1.1' }, body: JSON.stringify(body) };
}
