/** Makes images by sharp (libvips): upright, in exactly the requested size, with our metadata only. */

import sharp, { type Sharp } from 'sharp';
import type { Crop } from '../../contract/request-bounds';
import { processingTimeoutS } from '../../contract/timeouts';
import type { Size } from '../../requests/rendition';
import { computeCoverScale, type Placeholder } from '../image';
import { detectImageType } from '../image-type';
import { type Recipe, refuseRendition, type Unusable } from '../renderer-job';
import { writeXmp } from './xmp';

/** Largest original that decodes within the function's memory. Few photos are larger. */
const originalPixelsMax = 64_000_000;
const encodedBytesMax = 40_000_000;
/**
 * Longest side of a scaled original, as a multiple of the rendition's side. The rest is cut off before scaling.
 * Otherwise a strip of 2 × 5,000 pixels would be scaled to 750,000 lines for 300 × 200.
 */
const overhangMax = 8;

/**
 * The three formats have the same visual quality: in SSIMULACRA2, on photos and drawings, WebP and AVIF are at
 * most 1.4 below JPEG. With these efforts 1920 × 1080 takes a fraction of a second on one core.
 */
const encoders = {
  jpeg: (image: Sharp) => image.jpeg({ quality: 80, mozjpeg: true }),
  webp: (image: Sharp) => image.webp({ quality: 85, effort: 3 }),
  avif: (image: Sharp) => image.avif({ quality: 66, effort: 0, chromaSubsampling: '4:2:0' }),
  /** A master keeps more detail, because renditions are made from it. */
  master: (image: Sharp) => image.jpeg({ quality: 95, chromaSubsampling: '4:4:4' }),
} as const;

/** sharp detects no faces, so `faces` means `attention`. */
const positions: Readonly<Partial<Record<Crop, string | number>>> = {
  attention: sharp.strategy.attention,
  faces: sharp.strategy.attention,
  center: 'centre',
};

/** Longer side of a placeholder, in pixels. Such a WebP has some 100 bytes. */
const placeholderSidePx = 16;

/** Height of the label “AI”: a share of the image's shorter side, but enough pixels to be readable. */
const labelHeight = { share: 0.04, pxMin: 18 } as const;
/** White on black with a white rim, for light and dark images. It is a path: the functions have no fonts. */
const labelDrawing =
  '<rect x=".5" y=".5" width="29" height="19" rx="5" fill="#000" fill-opacity=".7" stroke="#fff" stroke-opacity=".8"/>' +
  '<path fill="#fff" fill-rule="evenodd" d="M10.7 4.5h3.4l4.3 11h-2.9l-.9-2.5h-4.4l-.9 2.5H6.4zm1.7 2.7L11 10.9h2.8zM20.7 4.5h2.8v11h-2.8z"/>';

// A cache of operations would only take memory, because each image is made once.
sharp.cache(false);

/** A file in the format, size and metadata of its recipe. */
export interface EncodedImage {
  readonly outcome: 'encoded';
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

/** The type of an image, and its size after it is turned upright. */
interface MeasuredImage extends Size {
  readonly outcome: 'measured';
  readonly mediaType: string;
}

/** Reads the header of an image. A moving image is unusable. */
export async function measureImage(image: Uint8Array): Promise<MeasuredImage | Unusable> {
  const original = await openOriginal(image);
  if (original.outcome === 'unusable') return original;
  const { image: _image, ...measurement } = original;
  return measurement;
}

/** Renders an original in exactly the size of the recipe: upright, cropped, on white. */
export async function renderOriginal(bytes: Uint8Array, recipe: Recipe): Promise<EncodedImage | Unusable> {
  const original = await openOriginal(bytes);
  if (original.outcome === 'unusable') return original;
  try {
    return await encode(cutFarEnds(original.image, original, recipe), recipe);
  } catch (error) {
    return refuseRendition((error as Error).message);
  }
}

/** Paints an SVG document that the service has written. A foreign document must not come here. */
export function paintSvg(svg: string, recipe: Recipe): Promise<EncodedImage> {
  return encode(sharp(Buffer.from(svg), { limitInputPixels: originalPixelsMax }), recipe);
}

/** Makes the average colour and a tiny WebP of an image. */
export async function makePlaceholder(image: Uint8Array): Promise<Placeholder> {
  const { data, info } = await sharp(image, { limitInputPixels: originalPixelsMax })
    .resize({ width: placeholderSidePx, height: placeholderSidePx, fit: 'inside' })
    .flatten({ background: 'white' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels: count } = info;
  const thumbnail = sharp(data, { raw: { width, height, channels: count } });
  const { channels } = await thumbnail.stats();
  const [red, green, blue] = channels.map(({ mean }) => Math.round(mean).toString(16).padStart(2, '0'));
  const webp = await thumbnail.webp({ quality: 30, effort: 6 }).toBuffer();
  return { color: `#${red}${green}${blue}`, dataUri: `data:image/webp;base64,${webp.toString('base64')}` };
}

/** Opens an original and reads its header. Damage after the header is found when the image is decoded. */
async function openOriginal(
  bytes: Uint8Array,
): Promise<(MeasuredImage & { readonly image: Sharp }) | Unusable> {
  if (bytes.byteLength > encodedBytesMax) return refuseRendition(`larger than ${encodedBytesMax} bytes`);
  const mediaType = detectImageType(bytes);
  if (!mediaType) return refuseRendition('not an image of a kind that is taken');
  try {
    // Not `warning`, because cameras write many odd files that are displayed correctly.
    const image = sharp(bytes, {
      limitInputPixels: originalPixelsMax,
      failOn: 'error',
      autoOrient: true,
      sequentialRead: true,
    });
    const { pages = 1, autoOrient } = await image.metadata();
    if (pages > 1) return refuseRendition('moving, or more than one image');
    return { outcome: 'measured', image, mediaType, widthPx: autoOrient.width, heightPx: autoOrient.height };
  } catch (error) {
    return refuseRendition((error as Error).message);
  }
}

/** Cuts an image to its middle before it is scaled, if it is far longer or wider than its rendition. */
function cutFarEnds(image: Sharp, original: Size, rendition: Size): Sharp {
  const { widthPx, heightPx } = original;
  const scale = computeCoverScale(original, rendition);
  const width = Math.min(widthPx, Math.ceil((overhangMax * rendition.widthPx) / scale));
  const height = Math.min(heightPx, Math.ceil((overhangMax * rendition.heightPx) / scale));
  if (width === widthPx && height === heightPx) return image;
  const left = Math.floor((widthPx - width) / 2);
  const top = Math.floor((heightPx - height) / 2);
  return image.extract({ left, top, width, height });
}

async function encode(image: Sharp, recipe: Recipe): Promise<EncodedImage> {
  const { widthPx, heightPx, format, metadata, label, crop = 'attention', isMaster } = recipe;
  const picture = image
    .resize({ width: widthPx, height: heightPx, fit: 'cover', position: positions[crop] ?? crop })
    .flatten({ background: 'white' })
    .composite(label ? [{ input: drawCornerLabel(recipe), gravity: 'southeast' }] : [])
    // `composite` adds an alpha channel, which AVIF would keep.
    .removeAlpha()
    .timeout({ seconds: processingTimeoutS })
    .withXmp(writeXmp(metadata));
  const { data, info } = await encoders[isMaster ? 'master' : format](picture).toBuffer({
    resolveWithObject: true,
  });
  if (info.width !== widthPx || info.height !== heightPx)
    throw new Error(`Asked for ${widthPx} × ${heightPx}, made ${info.width} × ${info.height}`);
  return { outcome: 'encoded', bytes: data, mediaType: `image/${format}` };
}

function drawCornerLabel({ widthPx, heightPx }: Size): Buffer {
  const { share, pxMin } = labelHeight;
  const scale = Math.max(pxMin, Math.round(share * Math.min(widthPx, heightPx))) / 20;
  const size = `width="${Math.round(36 * scale)}" height="${Math.round(26 * scale)}"`;
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 36 26">${labelDrawing}</svg>`,
  );
}
