/** Emulated AWS: Lambda's Invoke API, Secrets Manager's GetSecretValue and CloudFront's CreateInvalidation, on one loopback port, for the adapters that run in AWS. */

import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { bodyOf, type Grace, guarded, listen } from './http';

/** The running emulation. */
interface EmulatedAws {
  readonly url: string;
  /** Waits for the invocations that run, as long as the grace lasts. */
  drain(grace: Grace): Promise<void>;
  stop(): Promise<void>;
}

/** What the emulation answers with, and who is told of what. */
interface EmulatedAwsOptions {
  /** Filled after the URL is known, because the functions are loaded with it in their environment. */
  readonly functions: Readonly<Record<string, LocalFunction>>;
  readonly secret: (id: string) => string | undefined;
  /** The access key id that every caller has to sign with. */
  readonly token: string;
  /** An invalidation of the emulated distribution. */
  readonly onInvalidation?: () => void;
  readonly onFailure: (functionName: string, error: unknown) => void;
}

/** Starts the emulation on a free port of loopback. */
export async function startEmulatedAws({
  functions,
  secret,
  token,
  onInvalidation,
  onFailure,
}: EmulatedAwsOptions): Promise<EmulatedAws> {
  const lambda = createLambdaEndpoint(functions, onFailure);
  const secrets = createSecretsEndpoint(secret);
  const answer: RequestListener = (request, response) => {
    if (/^\/2020-05-31\/distribution\/[^/]+\/invalidation$/.test(request.url ?? '')) {
      onInvalidation?.();
      return void response
        .writeHead(201, { 'content-type': 'text/xml' })
        .end('<Invalidation></Invalidation>');
    }
    const isLambda = /^\/(2015-03-31|2016-08-19)\//.test(request.url ?? '');
    const endpoint = isLambda ? lambda.handle : secrets;
    endpoint(request, response).catch((error: unknown) => {
      onFailure('emulated AWS', error);
      response.destroy();
    });
  };
  const { url, stop } = await listen(0, guarded(answer, token));
  return { url, stop, drain: async (grace) => void (await Promise.race([lambda.drained(), grace])) };
}

/** One function of the local account. */
export interface LocalFunction {
  handler(event: unknown, context: LocalContext): Promise<unknown>;
  /** As configured in the stack, in milliseconds; absent for one that ends in time by itself. */
  readonly timeoutMs?: number;
  /** Whether it takes no more events for now. */
  isFull?(): boolean;
}

/** The part of Lambda's context that the functions use. */
export interface LocalContext {
  readonly functionName: string;
  readonly awsRequestId: string;
  getRemainingTimeInMillis(): number;
}

/** Lambda's API, without a server. */
export interface LambdaEndpoint {
  /** Answers an invocation, and the request for the account's settings. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Resolves when no invocation is running. */
  drained(): Promise<void>;
}

const accountSettingsPath = '/2016-08-19/account-settings';

/** As of an ordinary account: functions on this machine do not wait for executions. */
const accountLimit = { ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: 1_000 } as const;

/** Largest payloads, in bytes: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const payloadBytesMax = { RequestResponse: 6_291_456, Event: 1_048_576 } as const;

/**
 * Makes Lambda's API over functions by their names.
 * @param onFailure receives asynchronous invocations that failed, whose callers do not wait. Unlike AWS, which tries two
 * more times after minutes, a failed one is not repeated here.
 */
export function createLambdaEndpoint(
  functions: Readonly<Record<string, LocalFunction>>,
  onFailure: (functionName: string, error: unknown) => void,
): LambdaEndpoint {
  const running = new Set<Promise<void>>();

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refuse = (status: number, type: string, Message: string) =>
      sendJson(response, status, { Type: 'User', Message }, { 'x-amzn-errortype': type });
    if (request.method === 'GET' && request.url === accountSettingsPath)
      return sendJson(response, 200, { AccountLimit: accountLimit });
    const name = functionNameOf(request.url ?? '');
    const local = name !== undefined && Object.hasOwn(functions, name) ? functions[name] : undefined;
    if (request.method !== 'POST' || name === undefined || !local)
      return refuse(404, 'ResourceNotFoundException', `Function not found: ${name}`);
    const type = request.headers['x-amz-invocation-type'] === 'Event' ? 'Event' : 'RequestResponse';
    const body = await bodyOf(request, payloadBytesMax[type]);
    const limit = `The payload is larger than ${payloadBytesMax[type]} bytes`;
    if (!body) return refuse(413, 'RequestTooLargeException', limit);
    let event: unknown;
    try {
      event = body.byteLength === 0 ? {} : JSON.parse(body.toString());
    } catch {
      return refuse(400, 'InvalidRequestContentException', 'Could not parse request body into json');
    }
    if (local.isFull?.()) return refuse(429, 'TooManyRequestsException', 'Rate Exceeded.');
    const outcome = run(name, local, event);
    const done = outcome.then(({ error }) => {
      running.delete(done);
      if (error && type === 'Event') onFailure(name, error);
    });
    running.add(done);
    if (type === 'Event') return void response.writeHead(202).end();
    const { payload, error } = await outcome;
    response
      .writeHead(200, {
        'content-type': 'application/json',
        'x-amz-executed-version': '$LATEST',
        ...(error ? { 'x-amz-function-error': 'Unhandled' } : {}),
      })
      .end(payload);
  };

  return {
    handle,
    drained: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** The name in an invocation's path; callers may give an ARN and a qualifier too. */
function functionNameOf(url: string): string | undefined {
  const encoded = /^\/2015-03-31\/functions\/([^/?]+)\/invocations(\?|$)/.exec(url)?.[1];
  if (encoded === undefined) return undefined;
  const [first = '', ...rest] = decodeURIComponent(encoded).split(':');
  return first === 'arn' ? rest[rest.indexOf('function') + 1] : first;
}

async function run(
  functionName: string,
  local: LocalFunction,
  event: unknown,
): Promise<{ readonly payload: string; readonly error?: unknown }> {
  try {
    return { payload: JSON.stringify(await endInTime(functionName, local, event)) ?? 'null' };
  } catch (error) {
    const { name = 'Error', message = String(error) } = (error ?? {}) as { name?: string; message?: string };
    return { payload: JSON.stringify({ errorType: name, errorMessage: message, trace: [] }), error };
  }
}

/** Runs one invocation and waits for it no longer than its time limit. @throws what the handler throws, and at its limit */
export async function endInTime(
  functionName: string,
  { handler, timeoutMs = Number.POSITIVE_INFINITY }: LocalFunction,
  event: unknown,
): Promise<unknown> {
  const awsRequestId = randomUUID();
  const endsMs = Date.now() + timeoutMs;
  const context = {
    functionName,
    awsRequestId,
    getRemainingTimeInMillis: () => Math.max(0, endsMs - Date.now()),
  };
  const handled = Promise.resolve().then(() => handler(event, context));
  if (timeoutMs === Number.POSITIVE_INFINITY) return handled;
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<never>((_, reject) => {
    const text = `RequestId: ${awsRequestId} Error: Task timed out after ${(timeoutMs / 1_000).toFixed(2)} seconds`;
    timer = setTimeout(() => reject(Object.assign(new Error(text), { name: 'Sandbox.Timedout' })), timeoutMs);
    // A time limit alone keeps no process alive.
    timer.unref();
  });
  try {
    return await Promise.race([handled, timedOut]);
  } finally {
    clearTimeout(timer);
  }
}

function sendJson(response: ServerResponse, status: number, body: object, headers: object = {}): void {
  const sent = { 'content-type': 'application/json', ...headers };
  response.writeHead(status, sent).end(JSON.stringify(body));
}

/** Answers a request that has `X-Amz-Target: secretsmanager.…`. */
type SecretsEndpoint = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Longest request, in bytes: it holds the name of one secret. */
const bodyBytesMax = 65_536;

/** Secrets Manager's API, without a server. @param read the value of a secret by its name, read again for every request, or `undefined` */
export function createSecretsEndpoint(read: (secretId: string) => string | undefined): SecretsEndpoint {
  return async (request, response) => {
    const answer = (status: number, body: object) =>
      sendJson(response, status, body, { 'content-type': 'application/x-amz-json-1.1' });
    if (request.headers['x-amz-target'] !== 'secretsmanager.GetSecretValue')
      return answer(400, { __type: 'UnknownOperationException' });
    const secretId = secretIdOf((await bodyOf(request, bodyBytesMax))?.toString() ?? '');
    if (secretId === undefined)
      return answer(400, { __type: 'InvalidParameterException', Message: 'SecretId is missing.' });
    const value = read(secretId);
    if (value === undefined)
      return answer(400, {
        __type: 'ResourceNotFoundException',
        Message: "Secrets Manager can't find the specified secret.",
      });
    return answer(200, {
      ARN: `arn:aws:secretsmanager:local:000000000000:secret:${secretId}`,
      Name: secretId,
      SecretString: value,
      VersionId: createHash('sha256').update(value).digest('hex').slice(0, 32),
      VersionStages: ['AWSCURRENT'],
    });
  };
}

function secretIdOf(body: string): string | undefined {
  try {
    const { SecretId } = JSON.parse(body) as { readonly SecretId?: unknown };
    return typeof SecretId === 'string' && SecretId !== '' ? SecretId : undefined;
  } catch {
    return undefined;
  }
}
