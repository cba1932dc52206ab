/** Starts the local distribution before the API: the API moves to a port of its own, which answers the distribution alone. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { viewerRequestCode } from '../../lib/edge/viewer-request-code';
import { type Grace, listen } from '../listen';
import { createLocalEdge, type LocalEdge } from './edge';

export interface StartEdgeOptions {
  /** What the distribution proves itself by; the functions know it from their environment. */
  readonly lock: string;
  /** The API. Never rejects. */
  readonly api: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  readonly nowMs: () => number;
  readonly onFault: (error: unknown) => void;
}

export interface StartedEdge {
  readonly answer: LocalEdge;
  /** Where the API itself is. */
  readonly originUrl: string;
  stop(grace: Grace): Promise<void>;
}

export async function startLocalEdge({ api, ...options }: StartEdgeOptions): Promise<StartedEdge> {
  const { url: originUrl, stop } = await listen(0, api);
  return { answer: createLocalEdge({ ...options, originUrl, code: viewerRequestCode() }), originUrl, stop };
}
