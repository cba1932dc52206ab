/** Sorts image sizes into the few aspect ratios in which generators draw. */

import type { Size } from '../requests/rendition';

/**
 * The ratios of the Stability models on Bedrock. They are part of a generation's identity, so the list is the same for
 * every generator: changing the generator, or its list, must not make an account's images unfindable. A generator
 * that cannot draw one of them draws the nearest it can, and the rendition is cropped.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-stable-image-core-text-image-request-response.html
 */
export const aspectBuckets = ['16:9', '1:1', '21:9', '2:3', '3:2', '4:5', '5:4', '9:16', '9:21'] as const;
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
