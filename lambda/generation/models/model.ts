/**
 * Asks a model for one image. Each adapter beside this file sends the requests of its model and reads the
 * replies. This file decides how often and how long a model is asked, and which failures may have been billed.
 */

import { isUnconnected } from '../../aws/errors';
import type { Clock } from '../../base/clock';
import { runUntil } from '../../base/deadline';
import { retry } from '../../base/retry';
import type { GeneratorSettings } from '../../contract/generators';
import { modelPatienceMs, modelPauseMs, modelTimeoutMs } from '../../contract/timeouts';
import type { DrawingTask } from '../ai-image-identity';

/** What a model draws, with the prompt that describes it. */
export interface ModelRequest extends DrawingTask {
  readonly prompt: string;
  /** What the image must not show. */
  readonly unwanted: string;
  /** The base image. Only a variation has it, and only if the model starts from images. */
  readonly base?: Uint8Array;
}

/**
 * The kinds of failures. `passing`: no image was made, and the same request may succeed soon.
 * `final`: no image was made, and the same request would fail again. `unknown`: an image may be billed.
 */
export type FailureKind = 'passing' | 'final' | 'unknown';

/** An image, or the reason why the safety filter has refused the prompt or the image. */
export type Drawing = { readonly image: Uint8Array } | { readonly refused: string };

/** The reply of a model to one request. */
export type ModelReply =
  | Drawing
  /**
   * An error. `code`: its name for programs. `detail`: a text for the log, without key and prompt. `kind`: its
   * meaning, if that is not the meaning of its status.
   */
  | {
      readonly status: number;
      readonly code: string;
      readonly detail?: string;
      readonly kind?: FailureKind | undefined;
      readonly retryAfterMs?: number;
    };

/** A model behind its provider's API. Credit lines show its `name`. */
export interface Model {
  readonly name: string;
  readonly kind: GeneratorSettings['kind'];
  /** True if it can start from an image. Another model makes variations from the words only. */
  readonly startsFromImages: boolean;
  /** Sends one request. Throws `ModelFailure`, or the error of the connection. */
  ask(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>;
}

/** The error when a model has made no usable image. Its message contains no key and no prompt. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
  /** @param retryAfterMs how long the provider asks to wait before the next request */
  constructor(
    readonly kind: FailureKind,
    message: string,
    options?: ErrorOptions,
    readonly retryAfterMs?: number,
  ) {
    super(message, options);
  }
}

const attemptsMax = 3;

/**
 * Asks a model, up to `attemptsMax` times: a `passing` failure costs nothing, so that it is repeated.
 * @param endsMs the moment when waiting ends, at the latest
 * @throws `ModelFailure`; or `DeadlineReached`, when the image may have been billed
 */
export function drawImage(
  model: Model,
  request: ModelRequest,
  clock: Clock,
  endsMs: number,
): Promise<Drawing> {
  return runUntil(clock, Math.min(endsMs, clock.nowMs() + modelTimeoutMs), (signal) =>
    retry(() => askOnce(model, request, signal), { attemptsMax, computePauseMs, clock, signal }),
  );
}

async function askOnce(model: Model, request: ModelRequest, signal: AbortSignal): Promise<Drawing> {
  const reply = await model.ask(request, signal).catch((cause: unknown) => {
    if (cause instanceof ModelFailure) throw cause;
    const kind = unconnectedCodes.test(getErrorCode(cause)) || isUnconnected(cause) ? 'passing' : 'unknown';
    throw new ModelFailure(kind, `${model.name} could not be reached, or not in time`, { cause });
  });
  if (!('status' in reply)) return reply;
  const { status, code, detail = '', kind = classifyStatus(status), retryAfterMs } = reply;
  const message = `${model.name} answered ${status} ${code} ${detail}`.trimEnd();
  throw new ModelFailure(kind, message, {}, retryAfterMs);
}

function classifyStatus(status: number): FailureKind {
  // The server itself reports that it has failed. Providers do not bill such a request.
  if ([424, 429, 500, 503, 529].includes(status)) return 'passing';
  // A server before the model has given up, such as a CDN with 524, while the model may still draw.
  return status >= 500 || status === 408 ? 'unknown' : 'final';
}

/** The codes of errors without a connection: https://undici.nodejs.org/#/docs/api/Errors */
const unconnectedCodes =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

/** Reads the code of an error or of its cause: `fetch` wraps the error of a connection. */
function getErrorCode(error: unknown): string {
  const { code, cause } = (error ?? {}) as { readonly code?: unknown; readonly cause?: unknown };
  if (typeof code === 'string') return code;
  return cause === undefined ? '' : getErrorCode(cause);
}

function computePauseMs(error: unknown, attempt: number): number | undefined {
  if (!(error instanceof ModelFailure) || error.kind !== 'passing') return undefined;
  const pauseMs = error.retryAfterMs ?? modelPauseMs * 2 ** (attempt - 1);
  return pauseMs > modelPatienceMs ? undefined : pauseMs;
}
