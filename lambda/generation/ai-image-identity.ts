/** Identifies an AI image by account, visibility, words, style, ratio and variation. The size is no part. */

import { hash } from 'node:crypto';
import { hashSha256 } from '../base/hash';
import { masterPrefix } from '../contract/image-paths';
import type { Style, Visibility } from '../contract/request-bounds';
import type { AccountId, KeyedCaller } from '../credentials/caller';
import { requireStoredPath, type StoredPath } from '../images/stored-path';
import { type AiRequest, normaliseWords } from '../requests/image-request';
import { findNearestRatio, parseRatio, type Size } from '../requests/rendition';

/** What the generator draws, as plain JSON. */
export interface DrawingTask {
  /** The query, normalised and in lower case. */
  readonly words: string;
  readonly style: Style;
  readonly ratio: AspectRatio;
  /** From 1 to `generationSeedMax`. A variation has the seed of its base image. */
  readonly seed: number;
  /** Absent for the base image. */
  readonly variation?: number;
}

/** Key of an AI image, from `identifyAiImage` only: `G#<live|test>#<account>#<private|public>#<sha256>`. */
export type ImageKey = string & { readonly brand: 'ImageKey' };

/** The identity of an AI image, which is known before the image is made. */
export interface AiImageIdentity {
  readonly key: ImageKey;
  readonly imageId: string;
  /** Hash of words and style: `alt` finds a public image by it. Private images have none. */
  readonly wordsAndStyleHash?: string;
  readonly task: DrawingTask;
}

/** Identifies the image that a request asks for. Without a `variation` it is the base image. */
export function identifyAiImage(
  request: AiRequest,
  caller: KeyedCaller,
  variation: number | undefined,
): AiImageIdentity {
  const { style } = request;
  const words = normaliseWords(request.query);
  const ratio = findNearestRatio(aspectRatios, request.widthPx / request.heightPx) as AspectRatio;
  // No live caller may ever get an image of a test key.
  const visibility = caller.kind === 'test' ? 'private' : request.visibility;
  const canonical = hashSha256(JSON.stringify([words, style, ratio, variation ?? null]));
  const key = `G#${caller.kind}#${caller.account}#${visibility}#${canonical}` as ImageKey;
  const seed = makeSeed(JSON.stringify([words, style, ratio, caller.account]));
  return {
    key,
    imageId: makeImageId(key),
    ...(visibility === 'public' && { wordsAndStyleHash: hashWordsAndStyle(request) }),
    task: { words, style, ratio, seed, ...(variation !== undefined && { variation }) },
  };
}

/** Makes the public id of an AI image: 128 bits, in 32 hexadecimal digits. It is no secret. */
export function makeImageId(key: ImageKey): string {
  return hashSha256(key).slice(0, 32);
}

/** Hashes words and style. Requests that differ otherwise have the same hash. */
export function hashWordsAndStyle({ query, style }: Pick<AiRequest, 'query' | 'style'>): string {
  return hashSha256(JSON.stringify([normaliseWords(query), style]));
}

/** Parses the mode, account and visibility of an AI image from its key. */
export function parseImageKey(key: ImageKey) {
  // The account stands in the middle, and may contain `#`.
  const parts = key.split('#');
  const account = parts.slice(2, -2).join('#') as AccountId;
  return { mode: parts[1] as KeyedCaller['kind'], account, visibility: parts.at(-2) as Visibility };
}

/** Makes the path of the folder of an image's masters. Its files have no URL and never expire. */
export function makeMastersFolder(key: ImageKey): string {
  return `${masterPrefix}${makeImageId(key)}/`;
}

/** Makes the path of the folder of an image's renditions: `public/ai/…/` or `private/…/`. */
export function makeRenditionsFolder(key: ImageKey): string {
  return `${parseImageKey(key).visibility === 'public' ? 'public/ai' : 'private'}/${makeImageId(key)}/`;
}

/** Makes the path of a file in a folder (`…/`). The ULID of its generation cannot be guessed. */
export function makeGenerationPath(folder: string, generationId: string, fileName: string): StoredPath {
  return requireStoredPath(`${folder}${generationId}/${fileName}`);
}

/** Largest seed that every generator takes. The smallest seed is 1, because 0 often means "at random". */
const generationSeedMax = 4_294_967_294;

function makeSeed(identity: string): number {
  return 1 + (hash('sha256', `seed:${identity}`, 'buffer').readUInt32BE(0) % generationSeedMax);
}

/** Makes the seed of a variation. No other variation of the image has it. */
export function makeVariationSeed(baseSeed: number, variation: number | undefined): number {
  return variation === undefined ? baseSeed : makeSeed(`${baseSeed}#${variation}`);
}

/**
 * The ratios of the Stability models on Bedrock. Every generator has the same list, because the ratio is part
 * of an image's identity: an account still finds its images after the operator has changed the generator. A
 * generator without a ratio draws the nearest one that it has, and the rendition is cropped.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-stable-image-core-text-image-request-response.html
 */
export const aspectRatios = ['16:9', '1:1', '21:9', '2:3', '3:2', '4:5', '5:4', '9:16', '9:21'] as const;
export type AspectRatio = (typeof aspectRatios)[number];

/** Computes the size of an aspect ratio from its longer side. */
export function computeSizeOfRatio(aspectRatio: AspectRatio, longSidePx: number): Size {
  const ratio = parseRatio(aspectRatio);
  const widthPx = Math.round(longSidePx * Math.min(1, ratio));
  return { widthPx, heightPx: Math.round(longSidePx * Math.min(1, 1 / ratio)) };
}
