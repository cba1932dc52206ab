/** What makes a generation the same one, and seeds it: account, visibility, words, style, shape and variation, but no exact pixels. */

import { hash } from 'node:crypto';
import type { Branded } from '../base/branded';
import { masterPrefix } from '../contract/image-paths';
import type { Style, Visibility } from '../contract/request-bounds';
import type { AccountId } from '../credentials/account-id';
import type { KeyedCaller } from '../credentials/caller';
import { type LibraryPath, libraryPathOf } from '../images/library-path';
import { type AiRequest, identityOf, sha256Hex } from '../requests/image-request';
import type { Size } from '../requests/rendition';

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

/** Key of a generation, `G#<live|test>#<account>#<private|public>#<sha256>`, made by `generationIdentity` only. */
export type ImageKey = Branded<string, 'ImageKey'>;

/** Everything that follows from a request and its account before anything is drawn. */
export interface GenerationIdentity {
  readonly key: ImageKey;
  readonly imageId: string;
  readonly visibility: Visibility;
  /** Under which finished public images are listed for `alt`: words and style. */
  readonly similarityKey: string;
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
  const key = `G#${caller.kind}#${caller.account}#${visibility}#${canonical}` as ImageKey;
  return {
    key,
    imageId: imageIdOf(key),
    visibility,
    similarityKey: similarityKeyOf(request),
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
export function imageIdOf(key: ImageKey): string {
  return sha256Hex(key).slice(0, 32);
}

/** Equal for all requests of the same words and style. */
export function similarityKeyOf(request: Pick<AiRequest, 'query' | 'style'>): string {
  return sha256Hex(JSON.stringify([identityOf(request.query), request.style]));
}

interface Ownership {
  readonly mode: 'live' | 'test';
  readonly account: AccountId;
  readonly visibility: Visibility;
}

/** Whose a generation is and who may see it, read from its key. */
export function ownershipOf(key: ImageKey): Ownership {
  // From both ends, so that no account's name can be taken for a visibility.
  const parts = key.split('#');
  const [mode, visibility] = [parts[1], parts.at(-2)] as [Ownership['mode'], Visibility];
  return { mode, account: parts.slice(2, -2).join('#') as AccountId, visibility };
}

/** Folder of the masters that all executions of one generation store; it is never given out, and nothing in it expires. */
export function imageFolder(key: ImageKey): string {
  return `${masterPrefix}${imageIdOf(key)}/`;
}

/** Folder of the master that one execution stores. */
function executionFolder(key: ImageKey, execution: string): string {
  return `${imageFolder(key)}${execution}/`;
}

/** Path of the master that an execution stores. */
export function executionPath(key: ImageKey, execution: string, fileName: string): LibraryPath {
  return libraryPathOf(executionFolder(key, execution) + fileName);
}

/** Folder of the renditions of an image, whichever execution has made it. */
export function renditionsFolder(key: ImageKey): string {
  return `${ownershipOf(key).visibility === 'public' ? 'public/ai' : 'private'}/${imageIdOf(key)}/`;
}

/** Folder of the renditions of what one execution made; the ULID in it cannot be guessed. */
function renditionFolder(key: ImageKey, execution: string): string {
  return `${renditionsFolder(key)}${execution}/`;
}

/** Path of one rendition of what an execution made. */
export function generationRenditionPath(key: ImageKey, execution: string, fileName: string): LibraryPath {
  return libraryPathOf(renditionFolder(key, execution) + fileName);
}

/** Largest seed: all generators that take one take this. 0 is left out, because to most it means "at random". */
export const generationSeedMax = 4_294_967_294;

/** The seed of a base image, from 1 to `generationSeedMax`. @param identity whatever names the image, as one text */
export function generationSeedOf(identity: string): number {
  const digest = hash('sha256', `seed:${identity}`, 'buffer');
  return 1 + (digest.readUInt32BE(0) % generationSeedMax);
}

/** The seed with which a generator that works from words alone draws a variation of an image. */
export function variationSeedOf(baseSeed: number, variation: number | undefined): number {
  return variation === undefined ? baseSeed : generationSeedOf(`${baseSeed}#${variation}`);
}

/**
 * The ratios of the Stability models on Bedrock. They are part of a generation's identity, so the list is the same for
 * every generator: changing the generator, or its list, must not make an account's images unfindable. A generator
 * that cannot draw one of them draws the nearest it can, and the rendition is cropped.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-stable-image-core-text-image-request-response.html
 */
export const aspectBuckets = ['16:9', '1:1', '21:9', '2:3', '3:2', '4:5', '5:4', '9:16', '9:21'] as const;
/** The ratio in which a master is drawn, width to height. */
export type AspectBucket = (typeof aspectBuckets)[number];

/** Width divided by height. */
export function ratioOf(bucket: AspectBucket): number {
  return ratios[bucket];
}

const ratios = Object.fromEntries(
  aspectBuckets.map((bucket) => {
    const [width = 1, height = 1] = bucket.split(':').map(Number);
    return [bucket, width / height];
  }),
) as Readonly<Record<AspectBucket, number>>;

/** The bucket of a size: the one from which least is cut off. */
export function aspectBucketOf(size: Size): AspectBucket {
  return nearestBucket(size.widthPx / size.heightPx);
}

/** A size of a bucket's ratio whose longer side is given, to the pixel. */
export function sizeOfBucket(bucket: AspectBucket, longSidePx: number): Size {
  const ratio = ratioOf(bucket);
  return ratio >= 1
    ? { widthPx: longSidePx, heightPx: Math.round(longSidePx / ratio) }
    : { widthPx: Math.round(longSidePx * ratio), heightPx: longSidePx };
}

/** How far two ratios are apart: the same whichever of them is the wider, and whichever way the images stand. */
export function distanceBetween(one: number, other: number): number {
  return Math.abs(Math.log(one / other));
}

function nearestBucket(ratio: number): AspectBucket {
  return aspectBuckets.reduce((nearest, bucket) =>
    distanceBetween(ratio, ratioOf(bucket)) < distanceBetween(ratio, ratioOf(nearest)) ? bucket : nearest,
  );
}
