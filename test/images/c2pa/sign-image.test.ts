/**
 * Signed manifests of AI images. The library that wrote them reads them here; the deployment test uses another
 * one.
 */

import sharp from 'sharp';
import {
  type ActionAssertion,
  BMFF,
  JPEG,
  ManifestStore,
  SuperBox,
} from '../../../lambda/images/c2pa/library';
import { signImage as signWith } from '../../../lambda/images/c2pa/sign-image';
import { WebP } from '../../../lambda/images/c2pa/webp';
import * as codec from '../../../lambda/images/sharp/sharp-codec';
import { cutCertificate, makeCredentials } from '../../../lib/key-maker/certificates';

let credentials: string;
beforeAll(async () => {
  credentials = await makeCredentials();
});
const signImage = (...edit: [Parameters<typeof signWith>[0], Parameters<typeof signWith>[1]]) =>
  signWith(...edit, credentials);
const createdMs = Date.parse('2026-11-23T12:00:00Z');
const generatedBy = { model: 'model-1', createdMs };
const masterSize = { widthPx: 768, heightPx: 512 };
const metadata = { creditLine: 'AI-generated', aiGenerated: true, generatedBy };

const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
const noiseImage = sharp({ create: { width: 768, height: 512, channels: 3, background: 'red', noise } });
let master: Uint8Array;
beforeAll(async () => {
  master = await noiseImage.png().toBuffer();
});

async function renderAndSign(format: 'jpeg' | 'webp' | 'avif', widthPx: number, heightPx: number) {
  const image = await codec.renderOriginal(master, { format, widthPx, heightPx, metadata });
  if (image.outcome !== 'encoded') throw new Error(image.reason);
  const edit = { generatedBy, masterSize, size: { widthPx, heightPx } };
  return { image, signed: await signImage(image, edit) };
}

const openAsset = (bytes: Uint8Array) => {
  // The library changes offsets in place, so it gets a copy.
  const type = [JPEG, WebP, BMFF].find((format) => format.canRead(bytes));
  if (!type) throw new Error('No image');
  return new type(new Uint8Array(bytes));
};

async function readManifest(bytes: Uint8Array) {
  const asset = openAsset(bytes);
  const store = ManifestStore.read(
    SuperBox.fromBuffer(new Uint8Array(asset.getManifestJUMBF() as Uint8Array)),
  );
  const manifest = store.getActiveManifest();
  const assertions = manifest?.assertions?.assertions ?? [];
  const binding = assertions.find(({ label }) => label?.startsWith('c2pa.hash'));
  const results = [await store.validate(asset), await binding?.validateAgainstAsset(asset)];
  // The library takes no certificate without an authority and no encoding without its source; c2pa-rs takes
  // both.
  const strict = ['signingCredential.invalid', 'assertion.action.ingredientMismatch'];
  const faults = results
    .flatMap((result) => result?.statusEntries ?? [])
    .filter(({ success, code }) => !success && !strict.includes(code))
    .map(({ code }) => code);
  const actions = assertions.find(({ label }) => label === 'c2pa.actions.v2') as ActionAssertion;
  return { manifest, faults, actions: actions.actions };
}

const created = {
  action: 'c2pa.created',
  digitalSourceType: 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia',
  softwareAgent: expect.objectContaining({ name: 'model-1' }),
};
const expectAction = (name: string) => expect.objectContaining({ action: `c2pa.${name}` });

describe.each(['jpeg', 'webp', 'avif'] as const)('signImage as %s', (format) => {
  test.each([
    [600, 400, ['resized']],
    [401, 401, ['cropped', 'resized']],
    [512, 512, ['cropped']],
    [768, 512, []],
  ])(
    'the manifest of %d × %d is small, valid and names the changes of the image',
    async (width, height, edits) => {
      const { image, signed } = await renderAndSign(format, width, height);
      const { faults, actions, manifest } = await readManifest(signed.bytes);
      expect(faults).toEqual([]);
      expect(actions).toEqual([
        expect.objectContaining(created),
        ...edits.map(expectAction),
        expectAction('transcoded'),
      ]);
      expect(manifest?.claim?.claimGeneratorName).toBe('Image Redirect');
      expect(signed.bytes.length - image.bytes.length).toBeLessThan(3_000);
      expect(Buffer.from(signed.bytes).includes('2026-11-23T12:00:00.000Z')).toBe(true);
      // C2PA's form of ES256: two numbers of 32 bytes, not DER.
      expect(manifest?.signature?.signatureData.signature).toHaveLength(64);
    },
  );

  test('a manifest does not change the image and its XMP', async () => {
    const { image, signed } = await renderAndSign(format, 300, 200);
    const readPixels = (bytes: Uint8Array) => sharp(bytes).raw().toBuffer();
    expect((await readPixels(signed.bytes)).equals(await readPixels(image.bytes))).toBe(true);
    expect(Buffer.from(signed.bytes).includes('trainedAlgorithmicMedia</Iptc4xmpExt')).toBe(true);
  });

  test('a manifest is invalid on a changed or another picture', async () => {
    const { signed } = await renderAndSign(format, 300, 200);
    const changed = Buffer.from(signed.bytes);
    const mismatch = format === 'avif' ? 'assertion.bmffHash.mismatch' : 'assertion.dataHash.mismatch';
    const changedIndex = format === 'webp' ? 200 : changed.length - 40;
    changed[changedIndex] = (changed[changedIndex] ?? 0) ^ 1;
    expect((await readManifest(changed)).faults).toContain(mismatch);

    const other = await renderAndSign(format, 320, 200);
    const swapped = openAsset(other.image.bytes);
    const jumbf = openAsset(signed.bytes).getManifestJUMBF() as Uint8Array;
    await swapped.ensureManifestSpace(jumbf.length);
    await swapped.writeManifestJUMBF(jumbf);
    expect((await readManifest(await swapped.getDataRange())).faults).toContain(mismatch);
  });
});

test('the signature contains the operator’s chain of certificates', async () => {
  const above = cutCertificate(await makeCredentials());
  const { image } = await renderAndSign('jpeg', 300, 200);
  const { bytes } = await signWith(
    image,
    { generatedBy, masterSize, size: { widthPx: 300, heightPx: 200 } },
    credentials + above,
  );
  const { faults, manifest } = await readManifest(bytes);
  const { certificate, chainCertificates = [] } = manifest?.signature?.signatureData ?? {};
  expect(faults).toEqual([]);
  const written = [certificate, ...chainCertificates].map((bytes) => bytes?.toString('base64'));
  const secret = [cutCertificate(credentials), above].map((pem) => pem.replace(/-----.+-----|\s/g, ''));
  expect(written).toEqual(secret);
});

test('a file of another type is refused a manifest', async () => {
  const png = { outcome: 'encoded', bytes: master, mediaType: 'image/png' } as const;
  await expect(signImage(png, { generatedBy, masterSize, size: masterSize })).rejects.toThrow('image/png');
});

test('signing fails without a certificate', async () => {
  const key = credentials.slice(0, credentials.indexOf('-----BEGIN CERTIFICATE'));
  const { image } = await renderAndSign('jpeg', 300, 200);
  const edit = { generatedBy, masterSize, size: { widthPx: 300, heightPx: 200 } };
  for (const text of [key, 'stand-in']) {
    const failure = await signWith(image, edit, text).catch(String);
    expect(failure).toMatch(/content credentials/);
    expect(failure).not.toContain('PRIVATE');
  }
});

describe('WebP', () => {
  test('a WebP file has its manifest replaced at odd and even lengths', async () => {
    const bytes = await noiseImage.resize(64).webp().toBuffer();
    const webp = new WebP(bytes);
    for (const length of [11, 20, 7]) {
      const jumbf = new Uint8Array(length).fill(length);
      await webp.ensureManifestSpace(length);
      await webp.writeManifestJUMBF(jumbf);
      expect(webp.getHashExclusionRange()).toEqual({ start: bytes.length, length: 8 + length });
      const written = await webp.getDataRange();
      expect(written.length % 2).toBe(0);
      expect(new WebP(written).getManifestJUMBF()).toEqual(Buffer.from(jumbf));
      expect((await sharp(written).metadata()).width).toBe(64);
    }
  });
});
