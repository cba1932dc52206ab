/** Draws images that did not exist before, from words. */

import type { Style } from '../contract/request-bounds';
import type { AspectBucket } from './generation-identity';

/** What a generator can do; stated once by its adapter. */
interface GeneratorCapability {
  /** Whether it can start from an image; one that cannot makes variations from words alone. */
  readonly imageToImage: boolean;
  /** Largest seed it takes; absent when it takes none, and so never draws the same image twice. */
  readonly seedMax?: number;
  /** Ratios it draws exactly; for any other it draws the nearest. */
  readonly aspectRatios: readonly AspectBucket[];
}

/** One image to be drawn. */
export interface GeneratorRequest {
  readonly prompt: string;
  readonly negativePrompt?: string;
  readonly ratio: AspectBucket;
  /** Of the base image, from 1 to `generationSeedMax`; a variation comes with the seed of its base. */
  readonly seed: number;
  /** The base image, given with a variation to a generator that can start from one. */
  readonly base?: Uint8Array;
  /** The caller's request behind the prompt, for generators that work without one. */
  readonly words: string;
  readonly style: Style;
  readonly variation?: number;
}

/** What a model made of one request. */
export type Drawn =
  | {
      readonly outcome: 'image';
      readonly bytes: Uint8Array;
      readonly mediaType: string;
      /** Name of the model that drew it. */
      readonly model: string;
    }
  /** The safety filter refused the words or the image; asking again would not help. */
  | { readonly outcome: 'refused'; readonly reason: string };

/** One model that draws, behind its provider's API. */
export interface Generator {
  readonly capability: GeneratorCapability;
  /**
   * Asks for one image, and again a fixed number of times after a failure that may pass.
   * @throws `GeneratorFailure`, and nothing else, also when the signal is aborted.
   */
  generate(request: GeneratorRequest, signal: AbortSignal): Promise<Drawn>;
}

/** Why a generator made no image. All but the first two are for the operator to see to. */
export type GeneratorFailureKind =
  /** It is asked too often. */
  | 'throttled'
  /** It is down, slow or out of reach. */
  | 'unavailable'
  /** A paid quota is used up. */
  | 'quota_exceeded'
  /** The account has no access to the model yet. */
  | 'not_activated'
  /** The provider is retiring the model, and this account may not use it any more. */
  | 'legacy'
  /** The model does not exist, or not any more. */
  | 'end_of_life'
  /** The key or the role is refused. */
  | 'unauthorized'
  /** It refuses this request as wrong in form. */
  | 'rejected'
  /** It answered something that is no answer. */
  | 'malformed';

/** A generator's fault. The message is internal and holds no key and no prompt. */
export class GeneratorFailure extends Error {
  override readonly name = 'GeneratorFailure';
  /** Whether the generator says itself that it made nothing: an answer that is lost, or is no image, may be billed. */
  readonly isUnbilled: boolean;
  /** Whether the same request may well succeed a moment later, and costs nothing more. */
  readonly retryable: boolean;
  /** How long the generator asks to wait before the next request (`Retry-After`), in milliseconds. */
  readonly retryAfterMs: number | undefined;
  constructor(
    readonly kind: GeneratorFailureKind,
    message: string,
    options: ErrorOptions & {
      readonly retryAfterMs?: number | undefined;
      /** By default for every kind but `unavailable` and `malformed`. */
      readonly isUnbilled?: boolean;
    } = {},
  ) {
    super(message, options);
    this.isUnbilled = options.isUnbilled ?? (kind !== 'unavailable' && kind !== 'malformed');
    this.retryable = this.isUnbilled && (kind === 'throttled' || kind === 'unavailable');
    this.retryAfterMs = options.retryAfterMs;
  }
}
