/** Carries the requests of the lean transport: over connections, or to an engine that runs in the same process. */

import type { IncomingMessage } from 'node:http';
import { NodeHttpHandler } from '@smithy/node-http-handler';

/** A signed request, as it is sent. */
export interface SignedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface HttpAnswer {
  readonly statusCode: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: IncomingMessage | string;
}

export interface HttpHandler {
  /** Sends a request once. Rejects when its signal is aborted, or the connection fails. */
  handle(
    request: SignedRequest,
    options?: { readonly abortSignal?: AbortSignal },
  ): Promise<{ readonly response: HttpAnswer }>;
  /** Closes the connections. */
  destroy(): void;
}

/** Handlers of engines in this process, by the origin of their endpoint. */
const inProcess = new Map<string, HttpHandler>();

/**
 * Hands the requests to an endpoint to a handler in this process, instead of a connection: for transports that are
 * created from now on. Lambda has no such endpoint.
 * @returns ends it
 */
export function handleInProcess(endpoint: string, handler: HttpHandler): () => void {
  const { origin } = new URL(endpoint);
  inProcess.set(origin, handler);
  return () => void inProcess.delete(origin);
}

export function httpHandlerFor({ origin }: URL): HttpHandler {
  return inProcess.get(origin) ?? (new NodeHttpHandler() as unknown as HttpHandler);
}
