/** The DynamoDB transport: sends commands over AWS's own signer and HTTP handler, without the rest of the SDK, for a short cold start. */

import { createHash, createHmac, createSecretKey, type Hash, type Hmac, type KeyObject } from 'node:crypto';
import { Agent, type IncomingMessage } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { SignatureV4 } from '@smithy/signature-v4';
import { type AttributeMap, fromAttributes, toAttributes } from './attribute-values';
import type { Database } from './call';

/** Where DynamoDB answers, and who signs. */
export interface TransportOptions {
  readonly region: string;
  readonly endpoint: URL;
  /** Called for every request. @throws when there are none */
  readonly credentials: () => Promise<Credentials>;
  readonly nowMs: () => number;
}

/** Keys that requests are signed with; temporary ones have a token and an end. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly expiration?: Date;
}

/** One client over kept connections; each command is sent once. */
export interface DynamoDbTransport extends Database {
  /** Closes the connections. */
  destroy(): void;
}

/** An answer other than 200, with the name, the message and the metadata that the SDK's own error would have. */
export class DynamoDbError extends Error {
  readonly $metadata: {
    readonly httpStatusCode: number;
    readonly requestId?: string;
    clockSkewCorrected?: true;
  };
  /** The item before the write, with `ReturnValuesOnConditionCheckFailure`. */
  readonly Item?: Record<string, unknown>;

  constructor(
    override readonly name: string,
    message: string,
    $metadata: DynamoDbError['$metadata'],
    item?: AttributeMap,
  ) {
    super(message);
    this.$metadata = $metadata;
    if (item) this.Item = fromAttributes(item);
  }
}

/**
 * A connection that rested for longer, in milliseconds, is not used again: DynamoDB may have closed it while the instance
 * was frozen, and a charge that is written to it has no known outcome.
 */
const idleMsMax = 5_000;

/** A clock that is off by more is corrected, in milliseconds: DynamoDB refuses signatures that are five minutes old. */
const skewMsMax = 240_000;

/** Connects with the first command. `send` throws a `DynamoDbError` for every answer but 200. */
export function createTransport({
  region,
  endpoint,
  credentials,
  nowMs,
}: TransportOptions): DynamoDbTransport {
  // The request's signature covers the hash of the body already.
  const signer = new SignatureV4({
    service: 'dynamodb',
    region,
    credentials,
    sha256: Sha256,
    applyChecksum: false,
  });
  const { protocol, hostname, port, host, pathname } = endpoint;
  const target = {
    method: 'POST',
    protocol,
    hostname,
    path: pathname.endsWith('/') ? pathname : `${pathname}/`,
    ...(port ? { port: Number(port) } : {}),
  };
  const agent = new (protocol === 'https:' ? TlsAgent : Agent)({ keepAlive: true });
  const http = new NodeHttpHandler({ httpAgent: agent, httpsAgent: agent as TlsAgent });
  const restsSinceMs = new WeakMap<object, number>();
  agent.on('free', (socket) => restsSinceMs.set(socket, nowMs()));
  let skewMs = 0;

  return {
    async send<Output>(
      { operation, input }: { operation: string; input: object },
      { abortSignal }: { readonly abortSignal?: AbortSignal } = {},
    ): Promise<Output> {
      const body = inputJson(input);
      const headers = {
        host,
        'content-type': 'application/x-amz-json-1.0',
        'content-length': String(Buffer.byteLength(body)),
        'x-amz-target': `DynamoDB_20120810.${operation}`,
      };
      const signingDate = new Date(nowMs() + skewMs);
      const signed = await signer.sign({ ...target, headers, query: {}, body }, { signingDate });
      const sending = abortSignal ? { abortSignal } : {};
      for (const socket of Object.values(agent.freeSockets).flat())
        if (socket && nowMs() - (restsSinceMs.get(socket) ?? 0) > idleMsMax) socket.destroy();
      const { response, text } = await exchange(http, signed, sending);
      if (response.statusCode === 200) return answerIn(text) as Output;
      const error = errorIn(response, text);
      const serverMs = Date.parse(response.headers['date'] ?? '');
      if (Math.abs(serverMs - signingDate.getTime()) >= skewMsMax) {
        skewMs = serverMs - nowMs();
        error.$metadata.clockSkewCorrected = true;
      }
      throw error;
    },
    destroy: () => http.destroy(),
  };
}

type Signed = Awaited<ReturnType<SignatureV4['sign']>>;

/** Sends a request and reads its answer to the end. */
async function exchange(
  http: NodeHttpHandler,
  signed: Signed,
  options: { readonly abortSignal?: AbortSignal },
) {
  const { response } = await http.handle(signed as Parameters<NodeHttpHandler['handle']>[0], options);
  return { response, text: await textOf(response.body as IncomingMessage) };
}

/** Parts of an input that hold an item's attributes by name. */
const maps: ReadonlySet<string> = new Set(['Key', 'Item', 'ExpressionAttributeValues', 'ExclusiveStartKey']);

/** @throws `TypeError` for a value that the tables do not hold */
function inputJson(input: object): string {
  const parts: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(input)) {
    if (part === undefined) continue;
    if (maps.has(name)) parts[name] = toAttributes(part);
    else if (name === 'RequestItems') parts[name] = keysByTable(part, toAttributes);
    else parts[name] = part;
  }
  return JSON.stringify(parts);
}

/** An answer with its items as JavaScript values. @throws `SyntaxError` for an incomplete answer */
function answerIn(text: string): Record<string, unknown> {
  const answer = JSON.parse(text) as Record<string, unknown>;
  for (const name of ['Item', 'Attributes', 'LastEvaluatedKey'])
    if (answer[name]) answer[name] = fromAttributes(answer[name] as AttributeMap);
  if (answer['Items']) answer['Items'] = (answer['Items'] as AttributeMap[]).map(fromAttributes);
  if (answer['Responses']) {
    const tables = Object.entries(answer['Responses'] as Record<string, AttributeMap[]>);
    answer['Responses'] = Object.fromEntries(
      tables.map(([table, items]) => [table, items.map(fromAttributes)]),
    );
  }
  if (answer['UnprocessedKeys'])
    answer['UnprocessedKeys'] = keysByTable(answer['UnprocessedKeys'] as KeysByTable, (key) =>
      fromAttributes(key as AttributeMap),
    );
  return answer;
}

type KeysByTable = Readonly<Record<string, { readonly Keys: readonly object[] }>>;

function keysByTable(byTable: KeysByTable, convert: (key: object) => object): object {
  const tables = Object.entries(byTable).map(([table, wanted]) => [
    table,
    { ...wanted, Keys: wanted.Keys.map(convert) },
  ]);
  return Object.fromEntries(tables);
}

interface Response {
  readonly statusCode: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

/** @param text the body, which may come from a proxy instead of DynamoDB */
function errorIn({ statusCode, headers }: Response, text: string): DynamoDbError {
  const body = objectIn(text);
  const type = headers['x-amzn-errortype'] ?? body['__type'] ?? body['code'];
  // `com.amazonaws.dynamodb.v20120810#ThrottlingException:http://…`: only the name in the middle counts.
  const name = String(type ?? 'UnknownError')
    .replace(/^.*#/, '')
    .replace(/:.*/s, '');
  const message = body['message'] ?? body['Message'] ?? `DynamoDB answered ${statusCode}`;
  const requestId = headers['x-amzn-requestid'];
  const metadata = { httpStatusCode: statusCode, ...(requestId === undefined ? {} : { requestId }) };
  return new DynamoDbError(name, String(message), metadata, body['Item'] as AttributeMap | undefined);
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** @throws when the connection ends before the answer does */
function textOf(body: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    body.setEncoding('utf8');
    body.on('data', (part: string) => {
      text += part;
    });
    body.once('end', () => resolve(text));
    body.once('error', reject);
  });
}

type Source = string | ArrayBuffer | ArrayBufferView;

/** SHA-256 and its keyed form from Node.js, in the shape that AWS's signer takes. */
class Sha256 {
  private hash: Hash | Hmac;

  constructor(private readonly secret?: Source) {
    this.hash = hashWith(secret);
  }

  update(data: Uint8Array | string): void {
    this.hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.hash.digest();
  }

  reset(): void {
    this.hash = hashWith(this.secret);
  }
}

function hashWith(secret: Source | undefined): Hash | Hmac {
  if (secret === undefined) return createHash('sha256');
  return createHmac('sha256', typeof secret === 'string' ? secret : keyOf(secret));
}

/** The signer keeps its key for a day. Node.js takes a key object in a fifth of the time that it takes bytes. */
const keys = new WeakMap<object, KeyObject>();

function keyOf(secret: ArrayBuffer | ArrayBufferView): KeyObject {
  const made = keys.get(secret);
  if (made) return made;
  const bytes =
    secret instanceof ArrayBuffer
      ? new Uint8Array(secret)
      : new Uint8Array(secret.buffer, secret.byteOffset, secret.byteLength);
  const key = createSecretKey(bytes);
  keys.set(secret, key);
  return key;
}
