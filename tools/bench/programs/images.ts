/** Image operations of the service, each with the same operation on the bare library. */

import { generateKeyPairSync, sign } from 'node:crypto';
import { drawScene } from '@image-redirect/scene';
import sharp from 'sharp';
import { systemClock } from '../../../lambda/base/system';
import { createSignImage } from '../../../lambda/images/c2pa/sign-image';
import { createDeterministicSigner } from '../../../lambda/images/delivery-urls/deterministic-signature';
import { cannedPolicy } from '../../../lambda/images/delivery-urls/signed-delivery';
import { createSharpCodec } from '../../../lambda/images/sharp/sharp-codec';
import type { RenditionFormat } from '../../../lambda/requests/rendition';
import { newCredentials } from '../../../lib/deploy-time/signing-key/make-signing-key';

const codec = createSharpCodec();
const size = { widthPx: 1920, heightPx: 1080 } as const;
const recipe = {
  ...size,
  format: 'jpeg',
  metadata: { creditLine: 'Drawn by the sandbox', aiGenerated: false },
} as const;

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const signer = createDeterministicSigner(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
const policy = cannedPolicy('https://images.example.org/p/0123456789abcdef/1920x1080.jpeg', '1795258800');

/** Signs the policy of a private URL, the same each time. */
export const signByService = async () => signer(policy);
/** Signs it with randomness. */
export const signByNode = async () => sign('sha256', Buffer.from(policy), privateKey);

const scene = { words: 'mountain lake at dawn', style: 'photo', seed: '1', ...size } as const;
const master = codec.paint(drawScene({ ...scene, widthPx: 1536, heightPx: 864 }), {
  ...recipe,
  purpose: 'master',
});

/** Draws a scene, 1920 × 1080. */
export const draw = async () => (await codec.paint(drawScene(scene), recipe)).mediaType;
const rendered = (format: RenditionFormat) => async () =>
  (await codec.render((await master).bytes, { ...recipe, format })).outcome;
/** Renders a master as the service does, 1920 × 1080. */
export const renderJPEG = rendered('jpeg');
export const renderWebP = rendered('webp');
export const renderAVIF = rendered('avif');

/** A manifest is signed into a rendition that is there. */
const credentials = newCredentials();
const signImage = createSignImage(async () => credentials, { clock: systemClock, telemetry: console });
const generatedBy = { model: 'sandbox', createdMs: 0 };
const signing = (format: RenditionFormat) => {
  const rendition = master.then(({ bytes }) => codec.render(bytes, { ...recipe, format }));
  return async () => {
    const [{ bytes }, plain] = await Promise.all([master, rendition]);
    if (plain.outcome !== 'encoded') throw new Error(plain.reason);
    const masterSize = { widthPx: 1536, heightPx: 864 };
    const signed = await signImage(plain, { generatedBy, master: bytes, masterSize, size });
    return { plain: plain.bytes.byteLength, signed: signed.bytes.byteLength };
  };
};
/** Adds a manifest. @returns bytes of the image without and with it */
export const manifestJPEG = signing('jpeg');
export const manifestWebP = signing('webp');
export const manifestAVIF = signing('avif');

/** A landscape image cut to the portrait format of social networks, at what draws the eye. */
const portrait = { widthPx: 1080, heightPx: 1350 } as const;
/** Cuts at what draws the eye. */
export const crop = async () =>
  (await codec.render((await master).bytes, { ...recipe, ...portrait })).outcome;
/** By sharp's defaults. */
const resized =
  (format: RenditionFormat, { widthPx: width, heightPx: height }: typeof size | typeof portrait) =>
  async () =>
    (
      await sharp((await master).bytes)
        .resize({ width, height })
        .toFormat(format)
        .toBuffer()
    ).byteLength > 0;
/** Cuts to the centre, by sharp's defaults. */
export const cropCentre = resized('jpeg', portrait);
/** Scales and encodes by sharp's defaults, 1920 × 1080. */
export const resizeJPEG = resized('jpeg', size);
export const resizeWebP = resized('webp', size);
export const resizeAVIF = resized('avif', size);
