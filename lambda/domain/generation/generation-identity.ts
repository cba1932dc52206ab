/** What makes a generation the same one: account, visibility, words, style, shape and variation, but no exact pixels. */

import { masterPrefix } from '../../contract/image-paths';
import type { Style, Visibility } from '../../contract/request-bounds';
import type { KeyedCaller } from '../caller/caller';
import { type AiRequest, identityOf, sha256Hex } from '../request/image-request';
import { type AspectBucket, aspectBucketOf } from './aspect-bucket';
import { generationSeedOf } from './generation-seed';

/** What the generator is asked for; plain JSON, as it crosses from one function to another. */
export interface DrawingOrder {
  /** The query as identity: normalised, in lower case. */
  readonly words: string;
  readonly style: Style;
  readonly bucket: AspectBucket;
  /** Derived from the base's identity, so that the same request is drawn the same way again. */
  readonly seed: number;
  /** Absent for the base image. */
  readonly variation?: number;
}

export interface GenerationIdentity {
  /** `G#<live|test>#<account>#<private|public>#<sha256>` */
  readonly key: string;
  readonly imageId: string;
  readonly visibility: Visibility;
  /** Under which finished public images are listed for `alt`: words and style. */
  readonly look: string;
  readonly order: DrawingOrder;
}

/**
 * @param variation overrides the request's: `undefined` names the base image
 */
export function generationIdentity(
  request: AiRequest,
  caller: KeyedCaller,
  variation: number | undefined,
): GenerationIdentity {
  const words = identityOf(request.query);
  const bucket = aspectBucketOf(request);
  // What a test key has made must never meet a live caller, so it is private whatever was asked.
  const visibility = caller.kind === 'test' ? 'private' : request.visibility;
  const canonical = sha256Hex(JSON.stringify([words, request.style, bucket, variation ?? null]));
  const key = `G#${caller.kind}#${caller.account}#${visibility}#${canonical}`;
  return {
    key,
    imageId: imageIdOf(key),
    visibility,
    look: lookOf(request),
    order: {
      words,
      style: request.style,
      bucket,
      // The base's for its variations too: they are the same concept, drawn another way.
      seed: generationSeedOf(JSON.stringify([words, request.style, bucket, caller.account])),
      ...(variation === undefined ? {} : { variation }),
    },
  };
}

/** Public name of a generation: 128 bits, no secret. */
export function imageIdOf(key: string): string {
  return sha256Hex(key).slice(0, 32);
}

export function lookOf(request: Pick<AiRequest, 'query' | 'style'>): string {
  return sha256Hex(JSON.stringify([identityOf(request.query), request.style]));
}

/** Whose a generation is and who may see it, read from its key. */
export function ownershipOf(key: string): {
  readonly mode: 'live' | 'test';
  readonly account: string;
  readonly visibility: Visibility;
} {
  // From both ends, so that no account's name can be taken for a visibility.
  const parts = key.split('#');
  const [, mode] = parts;
  const account = parts.slice(2, -2).join('#');
  const visibility = parts.at(-2);
  if (
    (mode !== 'live' && mode !== 'test') ||
    !account ||
    (visibility !== 'private' && visibility !== 'public')
  )
    throw new RangeError('This is no key of a generation');
  return { mode, account, visibility };
}

/** Folder of the masters that all executions of one generation store; it is never given out, and nothing in it expires. */
export function imageFolder(key: string): string {
  return `${masterPrefix}${imageIdOf(key)}/`;
}

/** Folder of the master that one execution stores. */
export function executionFolder(key: string, execution: string): string {
  return `${imageFolder(key)}${execution}/`;
}

/** Folder of the renditions of what one execution made; the ULID in it cannot be guessed. */
export function renditionFolder(key: string, execution: string): string {
  return `${ownershipOf(key).visibility}/${imageIdOf(key)}/${execution}/`;
}
