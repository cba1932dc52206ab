/** Hands requests to the embedded DynamoDB's own listener without a connection: the same bytes, without a socket. */

import { EventEmitter } from 'node:events';
import type { RequestListener } from 'node:http';
import type {
  HttpAnswer,
  HttpHandler,
  SignedRequest,
} from '../../../lambda/adapters/dynamodb/lean/http-handler';

/** The part of a request that the engine reads. */
class InProcessRequest extends EventEmitter {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor({ method, path, headers }: SignedRequest) {
    super();
    this.method = method;
    this.url = path;
    this.headers = lowerCased(headers);
  }
}

/** The part of a response that the engine writes. */
class InProcessResponse {
  statusCode = 200;
  private readonly headers: Record<string, string> = {};

  constructor(private readonly answer: (response: HttpAnswer) => void) {}

  setHeader(name: string, value: unknown): void {
    this.headers[name.toLowerCase()] = String(value);
  }

  end(body = ''): void {
    this.answer({ statusCode: this.statusCode, headers: this.headers, body });
  }
}

/** @param listener the engine's own, which answers a request of its HTTP server */
export function createInProcessHandler(listener: RequestListener): HttpHandler {
  return {
    handle: (sent, { abortSignal } = {}) =>
      new Promise((resolve, reject) => {
        abortSignal?.throwIfAborted();
        // What the engine does cannot be taken back; as over a connection, its answer is not waited for any longer.
        const onAbort = () => reject(abortSignal?.reason);
        abortSignal?.addEventListener('abort', onAbort, { once: true });
        const request = new InProcessRequest(sent);
        const response = new InProcessResponse((answer) => {
          abortSignal?.removeEventListener('abort', onAbort);
          resolve({ response: answer });
        });
        listener(...([request, response] as unknown as Parameters<RequestListener>));
        if (sent.body !== '') request.emit('data', Buffer.from(sent.body));
        request.emit('end');
      }),
    destroy: () => undefined,
  };
}

function lowerCased(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const lower: Record<string, string> = {};
  for (const name in headers) lower[name.toLowerCase()] = headers[name] as string;
  return lower;
}
