/** The image codec by sharp (libvips). */

import sharp, { type Sharp } from 'sharp';
import type { Crop } from '../../contract/request-bounds';
import { processingTimeoutS } from '../../contract/timeouts';
import type { Size } from '../../requests/rendition';
import type { Placeholder } from '../image';
import type { EncodedImage, Measured, Recipe } from '../image-codec';
import { imageTypeOf } from '../image-type';
import { cornerMark } from './corner-mark';
import { exifOf, xmpOf } from './image-metadata';
import { placeholderOf } from './placeholder';

/** Largest original: 64 million pixels decode within the function's memory, and few photos are larger. */
const originalPixelsMax = 64_000_000;
/** Largest file that is decoded, in bytes: a download, or a master of the library. */
const encodedBytesMax = 40_000_000;
/**
 * How many times the wanted image an original may overhang it before its far ends are left out of the search for
 * what draws the eye: a 2 × 5,000 strip would otherwise be blown up to 750,000 lines for 300 × 200.
 */
const overhangMax = 8;

/**
 * JPEG, WebP and AVIF at the same visual quality, measured by SSIMULACRA2 on photos and drawings, none more than 1.4 below JPEG; efforts
 * at which 1920 × 1080 takes a fraction of a second on one core.
 */
const encoders = {
  rendition: {
    jpeg: (image: Sharp) => image.jpeg({ quality: 80, mozjpeg: true }),
    webp: (image: Sharp) => image.webp({ quality: 85, effort: 3 }),
    avif: (image: Sharp) => image.avif({ quality: 66, effort: 0, chromaSubsampling: '4:2:0' }),
  },
  master: {
    jpeg: (image: Sharp) => image.jpeg({ quality: 95, chromaSubsampling: '4:4:4' }),
    webp: (image: Sharp) => image.webp({ quality: 95, effort: 3 }),
    avif: (image: Sharp) => image.avif({ quality: 75, effort: 1 }),
  },
} as const;

/** Faces are the provider's to find; here they are what draws the eye. */
const positions: Readonly<Record<Crop, string | number>> = {
  attention: sharp.strategy.attention,
  faces: sharp.strategy.attention,
  center: 'centre',
  top: 'top',
  bottom: 'bottom',
  left: 'left',
  right: 'right',
};

// Every image is made once, so remembered operations would only hold memory.
sharp.cache(false);

/** Kind and size of an image, measured upright. */
export async function measure(image: Uint8Array): Promise<Measured> {
  const opened = await openOriginal(image);
  return opened.outcome === 'unusable'
    ? opened
    : { ...opened.size, outcome: 'measured', mediaType: opened.mediaType };
}

/**
 * Covers exactly width × height with an image: turned upright, cropped, transparent parts on white, freed of all metadata
 * but the given.
 */
export async function render(original: Uint8Array, recipe: Recipe): Promise<EncodedImage> {
  const opened = await openOriginal(original);
  if (opened.outcome === 'unusable') return opened;
  const { image, size } = opened;
  try {
    return await encode(withoutFarEnds(image, size, recipe), recipe);
  } catch (error) {
    return unusable(reasonOf(error));
  }
}

/** The placeholder of an image, in the image's own ratio. @throws when the bytes are not an image */
export function placeholder(image: Uint8Array): Promise<Placeholder> {
  return placeholderOf(sharp(image, { limitInputPixels: originalPixelsMax }));
}

/** Paints an SVG document of the service's own making. Never hand it one from elsewhere. @throws when it is not SVG */
export function paint(svg: string, recipe: Recipe): Promise<Extract<EncodedImage, { outcome: 'encoded' }>> {
  return encode(sharp(Buffer.from(svg), { limitInputPixels: originalPixelsMax }), recipe);
}

type Opened =
  | { readonly outcome: 'opened'; readonly image: Sharp; readonly size: Size; readonly mediaType: string }
  | Unusable;

/** Reads no more than the header; damage further on is found when the image is unpacked. */
async function openOriginal(bytes: Uint8Array): Promise<Opened> {
  if (bytes.byteLength > encodedBytesMax) return unusable(`larger than ${encodedBytesMax} bytes`);
  const mediaType = imageTypeOf(bytes);
  if (!mediaType) return unusable('not an image of a kind that is taken');
  try {
    // Damage is an error, an oddity is not: cameras write many odd files that are displayed correctly.
    const image = sharp(bytes, {
      limitInputPixels: originalPixelsMax,
      failOn: 'error',
      autoOrient: true,
      sequentialRead: true,
    });
    const { pages = 1, autoOrient } = await image.metadata();
    if (pages > 1) return unusable('moving, or more than one image');
    return {
      outcome: 'opened',
      image,
      size: { widthPx: autoOrient.width, heightPx: autoOrient.height },
      mediaType,
    };
  } catch (error) {
    return unusable(reasonOf(error));
  }
}

/** Cuts an image that is far longer or wider than the wanted one down to its middle, before it is scaled. */
function withoutFarEnds(image: Sharp, { widthPx, heightPx }: Size, wanted: Size): Sharp {
  const scale = Math.max(wanted.widthPx / widthPx, wanted.heightPx / heightPx);
  const width = Math.min(widthPx, Math.ceil((overhangMax * wanted.widthPx) / scale));
  const height = Math.min(heightPx, Math.ceil((overhangMax * wanted.heightPx) / scale));
  if (width === widthPx && height === heightPx) return image;
  const left = Math.floor((widthPx - width) / 2);
  const top = Math.floor((heightPx - height) / 2);
  return image.extract({ left, top, width, height });
}

async function encode(image: Sharp, recipe: Recipe): Promise<Extract<EncodedImage, { outcome: 'encoded' }>> {
  const { widthPx, heightPx, format, metadata, label, crop = 'attention', purpose = 'rendition' } = recipe;
  const sized = image
    .resize({ width: widthPx, height: heightPx, fit: 'cover', position: positions[crop] })
    .flatten({ background: 'white' })
    .composite(label ? [{ input: cornerMark(recipe), gravity: 'southeast' }] : [])
    // Composing adds one, which AVIF would keep.
    .removeAlpha()
    .timeout({ seconds: processingTimeoutS })
    .withExif(exifOf(metadata))
    .withXmp(xmpOf(metadata));
  const { data, info } = await encoders[purpose][format](sized).toBuffer({ resolveWithObject: true });
  if (info.width !== widthPx || info.height !== heightPx)
    throw new Error(`Asked for ${widthPx} × ${heightPx}, made ${info.width} × ${info.height}`);
  return { outcome: 'encoded', bytes: data, mediaType: `image/${format}` };
}

type Unusable = Extract<EncodedImage, { outcome: 'unusable' }>;

function unusable(reason: string): Unusable {
  return { outcome: 'unusable', reason };
}

function reasonOf(error: unknown): string {
  return (error as { readonly message?: string }).message ?? 'unreadable';
}
