/**
 * Asks a model for one image. A model is what differs between providers: its name, how it is asked, what its answer holds,
 * and what its errors mean. How often it is asked, for how long, and what is billed then stands here.
 */

import type { Clock } from '../../base/clock';
import { withDeadline } from '../../base/deadline';
import { retry } from '../../base/retry';
import type { Telemetry } from '../../base/telemetry';
import type { GeneratorSettings } from '../../contract/generators';
import type { Style } from '../../contract/request-bounds';
import { modelPatienceMs, modelPauseMs } from '../../contract/timeouts';
import type { StoredImage } from '../../images/image-library';
import { imageTypeOf } from '../../images/image-type';
import { extensionOf } from '../../images/library-path';
import type * as sharpCodec from '../../images/sharp/sharp-codec';
import type { Size } from '../../requests/rendition';
import type { AspectBucket } from '../generation-identity';
import type { FailureReason } from '../generations';

/** One image to be drawn. */
export interface Wanted {
  readonly prompt: string;
  /** What must not be seen in it. */
  readonly unwanted: string;
  readonly ratio: AspectBucket;
  /** Of the base image, from 1 to `generationSeedMax`, for its variations too. */
  readonly seed: number;
  /** The base image, with a variation for a model that can start from one. */
  readonly base?: Uint8Array;
  /** What the prompt is made of, for the sandbox, which works without one. */
  readonly words: string;
  readonly style: Style;
  readonly variation?: number;
}

/**
 * What an error says of the image: `passing`, none was made, and the same request may succeed a moment later; `final`, none
 * was made, and the request, the account or the model is at fault; `unknown`, one may have been made and billed.
 */
export type Failure = 'passing' | 'final' | 'unknown';

/** What a provider has answered to one request. */
export type Reply =
  | { readonly image: Uint8Array }
  /** The safety filter has refused the words or the image: asking again would not help. */
  | { readonly refused: string }
  /** An error. `code`: its machine-readable name. `about`: for the log, without key and prompt. */
  | {
      readonly status: number;
      readonly code: string;
      readonly about?: string;
      readonly retryAfterMs?: number;
    };

/** One model behind its provider's API. */
export interface Model {
  /** As credits name it. */
  readonly name: string;
  readonly kind: GeneratorSettings['kind'];
  /** Whether it can start from an image; one that cannot makes variations from words alone. */
  readonly startsFromImages: boolean;
  /** Longest time for one image, all requests included, in milliseconds. */
  readonly timeoutMs: number;
  /** What errors mean by their codes, where their status does not say it. */
  readonly errors: Readonly<Record<string, Failure | 'refused'>>;
  /** Sends one request. @throws `ModelFailure`, or whatever has prevented an answer */
  ask(wanted: Wanted, signal: AbortSignal): Promise<Reply>;
}

/** A model has made no image that can be used. The message holds no key and no prompt. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
  constructor(
    readonly kind: Failure,
    message: string,
    options: ErrorOptions & { readonly retryAfterMs?: number | undefined } = {},
  ) {
    super(message, options);
    this.retryAfterMs = options.retryAfterMs;
  }
  /** How long the provider asks to wait before the next request (`Retry-After`), in milliseconds. */
  readonly retryAfterMs: number | undefined;
}

/** What has become of an image that a model was asked for. */
export type Drawing =
  | {
      readonly outcome: 'image';
      readonly image: StoredImage;
      readonly size: Size;
      /** Name of the model that drew it. */
      readonly model: string;
      /** File name extension of its media type. */
      readonly extension: string;
    }
  /** `isUnbilled`: the model itself says that it made nothing. */
  | {
      readonly outcome: 'none';
      readonly why: Exclude<FailureReason, 'not_started'>;
      readonly isUnbilled: boolean;
    };

/** What drawing needs of `Services`. */
export interface DrawServices {
  readonly codec: Pick<typeof sharpCodec, 'measure'>;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** How often one image is asked for at most. */
const attemptsMax = 3;

/**
 * Asks a model, and again after failures that may pass and cost nothing. Never throws.
 * @param modelNow makes the model, if it is the first image; `wantedOf` reads what is wanted of it, within the same time
 * @param endsMs moment (epoch, milliseconds) at which waiting ends
 */
export async function draw(
  services: DrawServices,
  modelNow: () => Promise<Model>,
  wantedOf: (model: Model) => Promise<Wanted>,
  endsMs: number,
): Promise<Drawing> {
  const { clock, telemetry } = services;
  let generator = 'none';
  try {
    const model = await modelNow();
    generator = model.kind;
    const startMs = clock.nowMs();
    const reply = await withDeadline(clock, endsMs, async (ended) => {
      const signal = AbortSignal.any([ended, AbortSignal.timeout(model.timeoutMs)]);
      const wanted = await wantedOf(model);
      return retry(() => askOnce(model, wanted, signal), { attemptsMax, pauseMsAfter, clock, signal });
    });
    telemetry.time('generatorLatency', clock.nowMs() - startMs, { generator });
    if ('image' in reply) return await measured(services, model, reply.image);
    telemetry.info('The generator refused an image', { generator, reason: reply.refused });
    return { outcome: 'none', why: 'content_refused', isUnbilled: false };
  } catch (error) {
    const kind = error instanceof ModelFailure ? error.kind : 'unknown';
    telemetry.error('The generator failed', error, { generator, kind });
    return { outcome: 'none', why: 'upstream_unavailable', isUnbilled: kind !== 'unknown' };
  }
}

/** @throws `ModelFailure` for every answer without an image that is no refusal */
async function askOnce(
  model: Model,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<Exclude<Reply, { status: number }>> {
  const reply = await model.ask(wanted, signal).catch((cause: unknown) => {
    if (cause instanceof ModelFailure) throw cause;
    const what = signal.aborted ? 'did not answer in time' : 'could not be reached';
    const kind = unconnected.has(codeOf(cause)) ? 'passing' : 'unknown';
    throw new ModelFailure(kind, `${model.name} ${what}`, { cause });
  });
  if (!('status' in reply)) return reply;
  const { status, code, about = '', retryAfterMs } = reply;
  const meaning = model.errors[code] ?? byStatus[status] ?? (status >= 500 ? 'passing' : 'final');
  if (meaning === 'refused') return { refused: code };
  throw new ModelFailure(meaning, `${model.name} answered ${status} ${code} ${about}`.trimEnd(), {
    retryAfterMs,
  });
}

/** What something between has given up may still be worked on; the rest of these comes before the work. */
const byStatus: Readonly<Record<number, Failure>> = {
  408: 'unknown',
  424: 'passing',
  429: 'passing',
  502: 'unknown',
  504: 'unknown',
};

/** Errors of a connection that was never made, so that nothing was asked. */
const unconnected = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH']);

/** `fetch` throws an error whose cause is the one of the connection. */
function codeOf(error: unknown): string {
  const { code, cause } = (error ?? {}) as { readonly code?: unknown; readonly cause?: unknown };
  if (typeof code === 'string') return code;
  return cause === undefined ? '' : codeOf(cause);
}

function pauseMsAfter(error: unknown, attempt: number): number | undefined {
  if (!(error instanceof ModelFailure) || error.kind !== 'passing') return undefined;
  const pauseMs = error.retryAfterMs ?? modelPauseMs * 2 ** (attempt - 1);
  return pauseMs > modelPatienceMs ? undefined : pauseMs;
}

/** @throws `ModelFailure` for what is no image that renditions can be made of: it would be known and never delivered */
async function measured({ codec }: DrawServices, model: Model, bytes: Uint8Array): Promise<Drawing> {
  const mediaType = imageTypeOf(bytes) ?? '';
  const extension = extensionOf(mediaType);
  if (extension === undefined) throw new ModelFailure('unknown', `${model.name} sent no image`);
  const size = await codec.measure(bytes);
  if (size.outcome === 'unusable') throw new ModelFailure('unknown', `${model.name}: ${size.reason}`);
  const { widthPx, heightPx } = size;
  const image = { bytes, mediaType };
  return { outcome: 'image', image, size: { widthPx, heightPx }, model: model.name, extension };
}
