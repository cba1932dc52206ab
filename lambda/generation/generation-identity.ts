/** What makes a generation the same one, and seeds it: account, visibility, words, style, shape and variation, but no exact pixels. */

import { hash } from 'node:crypto';
import type { Branded } from '../base/branded';
import { sha256Hex } from '../base/sha256-hex';
import { masterPrefix } from '../contract/image-paths';
import type { Style, Visibility } from '../contract/request-bounds';
import type { AccountId, KeyedCaller } from '../credentials/caller';
import { type LibraryPath, libraryPathOf } from '../images/library-path';
import { type AiRequest, identityOf } from '../requests/image-request';
import type { Size } from '../requests/rendition';

/** What the generator is asked for; plain JSON, as it crosses from one function to another. */
export interface DrawingOrder {
  /** The query as identity: normalised, in lower case. */
  readonly words: string;
  readonly style: Style;
  readonly ratio: AspectBucket;
  /** From 1 to `generationSeedMax`: of the base image for its variations too, so that the same request is drawn the same way again. */
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
  /** Name of words and style under which `alt` finds a public image; absent for a private one. */
  readonly look?: string;
  readonly order: DrawingOrder;
}

/** The identity of the image that a request asks for. @param variation overrides the request's: `undefined` names the base image */
export function generationIdentity(
  request: AiRequest,
  caller: KeyedCaller,
  variation: number | undefined,
): GenerationIdentity {
  const { style } = request;
  const words = identityOf(request.query);
  const ratio = nearestRatio(aspectBuckets, request.widthPx / request.heightPx) as AspectBucket;
  // What a test key has made must never meet a live caller, so it is private whatever was asked.
  const visibility = caller.kind === 'test' ? 'private' : request.visibility;
  const canonical = sha256Hex(JSON.stringify([words, style, ratio, variation ?? null]));
  const key = `G#${caller.kind}#${caller.account}#${visibility}#${canonical}` as ImageKey;
  // The base's for its variations too: they are the same concept, drawn another way.
  const seed = generationSeedOf(JSON.stringify([words, style, ratio, caller.account]));
  return {
    key,
    imageId: imageIdOf(key),
    ...(visibility === 'public' && { look: lookOf(request) }),
    order: { words, style, ratio, seed, ...(variation !== undefined && { variation }) },
  };
}

/** Public name of a generation: 128 bits, no secret. */
export function imageIdOf(key: ImageKey): string {
  return sha256Hex(key).slice(0, 32);
}

/** Equal for all requests of the same words and style. */
export function lookOf({ query, style }: Pick<AiRequest, 'query' | 'style'>): string {
  return sha256Hex(JSON.stringify([identityOf(query), style]));
}

/** Whose a generation is and who may see it, read from its key. */
export function ownershipOf(key: ImageKey) {
  // From both ends, so that no account's name can be taken for a visibility.
  const parts = key.split('#');
  const [mode, visibility] = [parts[1], parts.at(-2)] as ['live' | 'test', Visibility];
  return { mode, account: parts.slice(2, -2).join('#') as AccountId, visibility };
}

/** Folder of the masters that all executions of one generation store; it is never given out, and nothing in it expires. */
export function imageFolder(key: ImageKey): string {
  return `${masterPrefix}${imageIdOf(key)}/`;
}

/** Folder of the renditions of an image, whichever execution has made it. */
export function renditionsFolder(key: ImageKey): string {
  return `${ownershipOf(key).visibility === 'public' ? 'public/ai' : 'private'}/${imageIdOf(key)}/`;
}

/** Path of one file of what an execution made; its ULID cannot be guessed. @param folder one of the two above */
export function executionPath(folder: string, execution: string, fileName: string): LibraryPath {
  return libraryPathOf(`${folder}${execution}/${fileName}`);
}

/** Largest seed: all generators that take one take this. 0 is left out, because to most it means "at random". */
const generationSeedMax = 4_294_967_294;

/** A seed from 1 to `generationSeedMax`. @param identity whatever names the image, as one text */
function generationSeedOf(identity: string): number {
  return 1 + (hash('sha256', `seed:${identity}`, 'buffer').readUInt32BE(0) % generationSeedMax);
}

/** The seed with which a model that works from words alone draws a variation of an image. */
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

/** Width divided by height, of a ratio or a size as text: `16:9`, `1024x768`. */
export function ratioOf(text: string): number {
  const [width = 1, height = 1] = text.split(/[:x]/).map(Number);
  return width / height;
}

/** The one whose ratio is nearest, so that least is cut off: the same whichever is the wider, and whichever way the images stand. */
export function nearestRatio<Text extends string>(texts: readonly Text[], ratio: number): Text | undefined {
  const apart = (text: Text) => Math.abs(Math.log(ratioOf(text) / ratio));
  return [...texts].sort((one, other) => apart(one) - apart(other))[0];
}

/** A size of a bucket's ratio whose longer side is given, to the pixel. */
export function sizeOfBucket(bucket: AspectBucket, longSidePx: number): Size {
  const ratio = ratioOf(bucket);
  return ratio >= 1
    ? { widthPx: longSidePx, heightPx: Math.round(longSidePx / ratio) }
    : { widthPx: Math.round(longSidePx * ratio), heightPx: longSidePx };
}
