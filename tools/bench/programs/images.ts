/** Image operations of the service, each with the same operation on the bare library. */

import { drawScene } from '@image-redirect/scene';
import sharp from 'sharp';
import { signImage } from '../../../lambda/images/c2pa/sign-image';
import { paint, render } from '../../../lambda/images/sharp/sharp-codec';
import { newCredentials } from '../../../lib/key-maker/certificates';

const size = { widthPx: 1920, heightPx: 1080 } as const;
const masterSize = { widthPx: 1536, heightPx: 864 } as const;
const metadata = { creditLine: 'Drawn by the sandbox', aiGenerated: false };
const recipe = (format: 'jpeg' | 'webp' | 'avif') => ({ ...size, format, metadata }) as const;
const scene = { words: 'mountain lake at dawn', style: 'photo', seed: '1', ...masterSize } as const;
const master = paint(drawScene(scene), { ...recipe('jpeg'), purpose: 'master' });

/** Renders a master as the service does. */
const rendered = (format: 'jpeg' | 'webp' | 'avif') => async () =>
  render((await master).bytes, recipe(format));
export const renderJPEG = rendered('jpeg');
export const renderWebP = rendered('webp');
export const renderAVIF = rendered('avif');

const prepared = Promise.all([renderJPEG(), newCredentials(Date.now())]);
/** Adds a manifest to a rendition that is there. */
export const manifestJPEG = async () => {
  const [plain, credentials] = await prepared;
  if (plain.outcome !== 'encoded') throw new Error(plain.reason);
  const generatedBy = { model: 'sandbox', createdMs: 0 };
  return (await signImage(plain, { generatedBy, masterSize, size }, credentials)).bytes.byteLength;
};

/** Scales and encodes by sharp's defaults. */
const resized = (format: 'webp' | 'avif') => async () =>
  (
    await sharp((await master).bytes)
      .resize(size.widthPx, size.heightPx)
      .toFormat(format)
      .toBuffer()
  ).length;
export const resizeWebP = resized('webp');
export const resizeAVIF = resized('avif');
