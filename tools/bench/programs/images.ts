/** Image operations of the service, each with the same operation on the bare library. */

import { drawScene } from '@image-redirect/scene';
import sharp from 'sharp';
import { signImage as signWith } from '../../../lambda/images/c2pa/sign-image';
import * as codec from '../../../lambda/images/sharp/sharp-codec';
import type { RenditionFormat } from '../../../lambda/requests/rendition';
import { newCredentials } from '../../../lib/key-maker/certificates';

const size = { widthPx: 1920, heightPx: 1080 } as const;
const recipe = {
  ...size,
  format: 'jpeg',
  metadata: { creditLine: 'Drawn by the sandbox', aiGenerated: false },
} as const;

const masterSize = { widthPx: 1536, heightPx: 864 } as const;
const scene = { words: 'mountain lake at dawn', style: 'photo', seed: '1', ...masterSize } as const;
const master = codec.paint(drawScene(scene), { ...recipe, purpose: 'master' });

const rendered = (format: RenditionFormat) => async () =>
  (await codec.render((await master).bytes, { ...recipe, format })).outcome;
/** Renders a master as the service does, 1920 × 1080. */
export const renderJPEG = rendered('jpeg');
export const renderWebP = rendered('webp');
export const renderAVIF = rendered('avif');

/** A manifest is signed into a rendition that is there. */
const credentials = newCredentials(Date.now());
const signImage = async (...edit: [Parameters<typeof signWith>[0], Parameters<typeof signWith>[1]]) =>
  signWith(...edit, await credentials);
const generatedBy = { model: 'sandbox', createdMs: 0 };
const signing = (format: RenditionFormat) => {
  const rendition = master.then(({ bytes }) => codec.render(bytes, { ...recipe, format }));
  return async () => {
    const plain = await rendition;
    if (plain.outcome !== 'encoded') throw new Error(plain.reason);
    const signed = await signImage(plain, { generatedBy, masterSize, size });
    return { plain: plain.bytes.byteLength, signed: signed.bytes.byteLength };
  };
};
/** Adds a manifest. @returns bytes of the image without and with it */
export const manifestJPEG = signing('jpeg');
export const manifestWebP = signing('webp');
export const manifestAVIF = signing('avif');

const resized = (format: RenditionFormat) => async () => {
  const { widthPx: width, heightPx: height } = size;
  return (
    await sharp((await master).bytes)
      .resize({ width, height })
      .toFormat(format)
      .toBuffer()
  ).byteLength;
};
/** Scales and encodes by sharp's defaults, 1920 × 1080. */
export const resizeWebP = resized('webp');
export const resizeAVIF = resized('avif');
