/**
 * Signed manifests of AI images, read by the library that wrote them; the deployment test has them read by another one.
 */

import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { systemClock } from '../../../lambda/base/system';
import {
  type ActionAssertion,
  BMFF,
  IngredientAssertion,
  JPEG,
  ManifestStore,
  PNG,
  SuperBox,
} from '../../../lambda/images/c2pa/library';
import { createSignImage } from '../../../lambda/images/c2pa/sign-image';
import { WebP } from '../../../lambda/images/c2pa/webp';
import { createSharpCodec } from '../../../lambda/images/sharp/sharp-codec';
import { certificateIn, newCredentials } from '../../../lib/deploy-time/signing-key/make-signing-key';
import { listenOnLoopback } from '../../fakes/loopback';
import { createRecordedTelemetry } from '../../fakes/recorded-telemetry';
import { signedByModel } from '../../fakes/signed-by-model';
import { createTimeStampAuthority, type TimeStampAuthority } from '../../fakes/time-stamp-authority';

const credentials = newCredentials();
const signImage = createSignImage(async () => credentials, {
  clock: systemClock,
  telemetry: createRecordedTelemetry(),
});
const codec = createSharpCodec();
const createdMs = Date.parse('2026-11-23T12:00:00Z');
const generatedBy = { model: 'model-1', createdMs };
const masterSize = { widthPx: 768, heightPx: 512 };
const metadata = { creditLine: 'AI-generated', aiGenerated: true, generatedBy };

const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
const drawn = sharp({ create: { width: 768, height: 512, channels: 3, background: 'red', noise } });
let master: Uint8Array;
beforeAll(async () => {
  master = await drawn.png().toBuffer();
});

async function rendered(format: 'jpeg' | 'webp' | 'avif', widthPx: number, heightPx: number, from = master) {
  const image = await codec.render(from, { format, widthPx, heightPx, metadata });
  if (image.outcome !== 'encoded') throw new Error(image.reason);
  const edit = { generatedBy, master: from, masterSize, size: { widthPx, heightPx } };
  return { image, signed: await signImage(image, edit) };
}

const assetOf = (bytes: Uint8Array) => {
  // A copy: the library corrects offsets in place.
  const type = [JPEG, PNG, WebP, BMFF].find((each) => each.canRead(bytes));
  if (!type) throw new Error('No image');
  return new type(new Uint8Array(bytes));
};

async function read(bytes: Uint8Array) {
  const asset = assetOf(bytes);
  const store = ManifestStore.read(
    SuperBox.fromBuffer(new Uint8Array(asset.getManifestJUMBF() as Uint8Array)),
  );
  const manifest = store.getActiveManifest();
  const assertions = manifest?.assertions?.assertions ?? [];
  const binding = assertions.find(({ label }) => label?.startsWith('c2pa.hash'));
  const results = [await store.validate(asset), await binding?.validateAgainstAsset(asset)];
  // The library takes no certificate without an authority, none of this very second, and no encoding without its source;
  // c2pa-rs takes all of them.
  const strict = ['signingCredential.invalid', 'timeStamp.untrusted', 'assertion.action.ingredientMismatch'];
  const faults = results
    .flatMap((result) => result?.statusEntries ?? [])
    .filter(({ success, code }) => !success && !strict.includes(code))
    .map(({ code }) => code);
  const actions = assertions.find(({ label }) => label === 'c2pa.actions.v2') as ActionAssertion;
  const ingredient = assertions.find((each) => each instanceof IngredientAssertion);
  const labels = assertions.map(({ label }) => label);
  return { store, manifest, faults, actions: actions.actions, ingredient, labels };
}

const created = {
  action: 'c2pa.created',
  digitalSourceType: 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia',
  softwareAgent: expect.objectContaining({ name: 'model-1' }),
};
const action = (name: string) => expect.objectContaining({ action: `c2pa.${name}` });

describe.each(['jpeg', 'webp', 'avif'] as const)('a manifest in %s', (format) => {
  it.each([
    [600, 400, ['resized']],
    [401, 401, ['cropped', 'resized']],
    [512, 512, ['cropped']],
    [768, 512, []],
  ])(
    'of %d × %d is valid, below 20 KB, and says what made the image and what was done to it',
    async (width, height, edits) => {
      const { image, signed } = await rendered(format, width, height);
      const { faults, actions, manifest } = await read(signed.bytes);
      expect(faults).toEqual([]);
      expect(actions).toEqual([expect.objectContaining(created), ...edits.map(action), action('transcoded')]);
      expect(manifest?.claim?.claimGeneratorName).toBe('Image Redirect');
      expect(signed.bytes.length - image.bytes.length).toBeLessThan(3_000);
      expect(Buffer.from(signed.bytes).includes('2026-11-23T12:00:00.000Z')).toBe(true);
      // ES256 as C2PA has it: two numbers of 32 bytes, and not DER.
      expect(manifest?.signature?.signatureData.signature).toHaveLength(64);
    },
  );

  it('leaves the image and its XMP as they are', async () => {
    const { image, signed } = await rendered(format, 300, 200);
    const pixels = (bytes: Uint8Array) => sharp(bytes).raw().toBuffer();
    expect((await pixels(signed.bytes)).equals(await pixels(image.bytes))).toBe(true);
    expect(Buffer.from(signed.bytes).includes('trainedAlgorithmicMedia</Iptc4xmpExt')).toBe(true);
  });

  it('does not fit a changed picture, nor another one', async () => {
    const { signed } = await rendered(format, 300, 200);
    const changed = Buffer.from(signed.bytes);
    const mismatch = format === 'avif' ? 'assertion.bmffHash.mismatch' : 'assertion.dataHash.mismatch';
    const at = format === 'webp' ? 200 : changed.length - 40;
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect((await read(changed)).faults).toContain(mismatch);

    const other = await rendered(format, 320, 200);
    const swapped = assetOf(other.image.bytes);
    const jumbf = assetOf(signed.bytes).getManifestJUMBF() as Uint8Array;
    await swapped.ensureManifestSpace(jumbf.length);
    await swapped.writeManifestJUMBF(jumbf);
    expect((await read(await swapped.getDataRange())).faults).toContain(mismatch);
  });

  it.each([
    ['whole', 1_000, 0],
    ['without a thumbnail that is too long', 30_000, 1],
  ])(
    'keeps the manifest that the model wrote as an ingredient, %s',
    async (_, thumbnailBytes, redactions) => {
      const signedMaster = await signedByModel(master, thumbnailBytes);
      const written = await read(signedMaster);
      const { image, signed } = await rendered(format, 300, 200, signedMaster);
      const { store, faults, actions, ingredient } = await read(signed.bytes);
      expect(signed.bytes.length - image.bytes.length).toBeLessThan(8_000);
      // The library looks for what was redacted; c2pa-rs does not.
      expect(faults).toEqual(
        redactions === 0 ? [] : ['assertion.missing', 'assertion.action.redactionMismatch'],
      );
      expect(store.manifests.map(({ label }) => label)).toContain(written.manifest?.label);
      expect(actions.filter((each) => each.action === 'c2pa.redacted')).toHaveLength(redactions);
      // What holds of the model's image, not of the manifest that is just being written; its signer is for others to know.
      const { success = [], failure } = ingredient?.validationResults?.activeManifest ?? {};
      expect(success.map(({ code }) => code)).toContain('claimSignature.validated');
      expect(failure).toEqual([expect.objectContaining({ code: 'signingCredential.untrusted' })]);
      const signature = written.manifest?.signature?.sourceBox?.toBuffer() ?? '';
      expect(ingredient?.claimSignature?.hash).toEqual(
        new Uint8Array(createHash('sha256').update(signature).digest()),
      );
    },
  );
});

it('leaves a manifest out that cannot be read', async () => {
  const space = async (jumbf: Uint8Array) => {
    const png = new PNG(master);
    await png.ensureManifestSpace(jumbf.length);
    await png.writeManifestJUMBF(jumbf);
    return png.getDataRange();
  };
  const damaged = await space(new Uint8Array(100).fill(7));
  const { labels, faults } = await read((await rendered('jpeg', 300, 200, damaged)).signed.bytes);
  expect([labels.includes('c2pa.ingredient.v3'), faults]).toEqual([false, []]);
});

it('leaves the manifests before it out where all together are larger than 20 KB', async () => {
  let bytes = master;
  const kept: boolean[] = [];
  // Each signature keeps those before it as ingredients.
  for (let i = 0; i < 10; i++) {
    const image = { outcome: 'encoded', bytes: master, mediaType: 'image/png' } as const;
    const edit = { generatedBy, master: bytes, masterSize, size: masterSize };
    ({ bytes } = await signImage(image, edit));
    expect(bytes.length - master.length).toBeLessThanOrEqual(20_000);
    const { faults, labels } = await read(bytes);
    expect(faults).toEqual([]);
    kept.push(labels.includes('c2pa.ingredient.v3'));
  }
  expect(kept.slice(0, 3)).toEqual([false, true, true]);
  expect(kept.slice(1)).toContain(false);
});

it('signs with the chain of an operator, its own certificate first', async () => {
  const above = certificateIn(newCredentials());
  const sign = createSignImage(async () => credentials + above, {
    clock: systemClock,
    telemetry: createRecordedTelemetry(),
  });
  const original = { outcome: 'encoded', bytes: master, mediaType: 'image/png' } as const;
  const { bytes } = await sign(original, { generatedBy, master, masterSize, size: masterSize });
  const { faults, manifest } = await read(bytes);
  const { certificate, chainCertificates = [] } = manifest?.signature?.signatureData ?? {};
  expect(faults).toEqual([]);
  const written = [certificate, ...chainCertificates].map((each) => each?.toString('base64'));
  const secret = [certificateIn(credentials), above].map((pem) => pem.replace(/-----.+-----|\s/g, ''));
  expect(written).toEqual(secret);
});

it('signs nothing without a certificate, and says so without the key', async () => {
  const key = credentials.slice(0, credentials.indexOf('-----BEGIN CERTIFICATE'));
  const image = await codec.render(master, { format: 'jpeg', widthPx: 300, heightPx: 200, metadata });
  const edit = { generatedBy, master, masterSize, size: { widthPx: 300, heightPx: 200 } };
  for (const text of [key, 'stand-in']) {
    const sign = createSignImage(async () => text, {
      clock: systemClock,
      telemetry: createRecordedTelemetry(),
    });
    const failure = await sign(image as never, edit).catch(String);
    expect(failure).toMatch(/content credentials/);
    expect(failure).not.toContain('PRIVATE');
  }
});

describe('with a time stamp authority', () => {
  let authority: TimeStampAuthority;
  beforeAll(async () => {
    authority = await createTimeStampAuthority();
  });
  afterAll(() => authority.stop());

  const signing = () => {
    const telemetry = createRecordedTelemetry();
    const waits = new Promise<void>(() => undefined);
    const clock = { now: 0, nowMs: () => clock.now, sleep: () => waits };
    const secret = async () => `Time-Stamp-Authority: ${authority.address}/\n${credentials}`;
    const sign = createSignImage(secret, { clock, telemetry });
    const added = async (format: 'jpeg' | 'webp' | 'avif') => {
      const image = await codec.render(master, { format, widthPx: 300, heightPx: 200, metadata });
      if (image.outcome !== 'encoded') throw new Error(image.reason);
      const edit = { generatedBy, master, masterSize, size: { widthPx: 300, heightPx: 200 } };
      const { bytes } = await sign(image, edit);
      const { faults, manifest } = await read(bytes);
      const stampedAt = manifest?.signature?.signatureData.timestamp;
      return { faults, stampedAt, addedBytes: bytes.length - image.bytes.length };
    };
    return { added, clock, telemetry };
  };

  it('stamps the signature, with little more room than the stamps before took', async () => {
    const { added } = signing();
    const beganMs = Date.now() - 1_000;
    const first = await added('jpeg');
    expect(first.addedBytes).toBeLessThan(13_000);
    for (const format of ['jpeg', 'webp', 'avif'] as const) {
      const { faults, stampedAt, addedBytes } = await added(format);
      expect(faults).toEqual([]);
      expect(stampedAt?.getTime()).toBeGreaterThanOrEqual(beganMs);
      expect(addedBytes).toBeLessThan(5_000);
    }
    expect(new Set(authority.requests)).toEqual(new Set(['application/timestamp-query']));
  });

  it('has room again a minute after a stamp that was larger than those before', async () => {
    const { added, clock } = signing();
    await added('jpeg');
    try {
      authority.chainLength = 5;
      expect((await added('jpeg')).stampedAt).toBeUndefined();
      clock.now += 60_000;
      expect((await added('jpeg')).stampedAt).toBeInstanceOf(Date);
    } finally {
      authority.chainLength = 1;
    }
  });

  const refused = Buffer.from('30053003020102', 'hex');
  it.each([
    ['is not well', async () => ({ status: 503, body: refused }), 'answered with 503'],
    ['refuses', async () => ({ status: 200, body: refused }), 'refused with status 2'],
    ['answers something else', async () => ({ status: 200, body: Buffer.from('hello') }), ''],
    [
      'answers for another signature',
      async () => ({ status: 200, body: authority.lastBody }),
      'of another signature',
    ],
  ])(
    'signs without a stamp when the authority %s, and asks again after a minute',
    async (_, answer, reason) => {
      const { added, clock, telemetry } = signing();
      await added('jpeg');
      authority.answer = await answer();
      expect(await added('jpeg')).toMatchObject({ faults: [], stampedAt: undefined });
      authority.answer = undefined;
      expect(await added('jpeg')).toMatchObject({ faults: [], stampedAt: undefined });
      expect(telemetry.errors).toEqual([
        expect.objectContaining({
          message: 'An AI image was signed without a time stamp',
          error: expect.objectContaining({ message: expect.stringContaining(reason) }),
        }),
      ]);
      clock.now += 60_000;
      expect((await added('jpeg')).stampedAt).toBeInstanceOf(Date);
    },
  );
});

it('signs without a stamp when the authority is silent, after two attempts', async () => {
  const silent = await listenOnLoopback(() => undefined);
  const telemetry = createRecordedTelemetry();
  const sleep = jest.fn(async () => undefined);
  const secret = async () => `Time-Stamp-Authority: ${silent.address}/\n${credentials}`;
  const sign = createSignImage(secret, { clock: { nowMs: () => 0, sleep }, telemetry });
  const original = { outcome: 'encoded', bytes: master, mediaType: 'image/png' } as const;
  const { bytes } = await sign(original, { generatedBy, master, masterSize, size: masterSize });
  expect((await read(bytes)).faults).toEqual([]);
  expect(telemetry.errors).toEqual([
    expect.objectContaining({ error: expect.objectContaining({ name: 'DeadlineReached' }) }),
  ]);
  // Each deadline is waited for in five parts.
  expect(sleep.mock.calls).toHaveLength(2 * 5);
  await silent.stop();
});

describe('a WebP file', () => {
  it('has its manifest replaced, whether its length is odd or even', async () => {
    const bytes = await drawn.resize(64).webp().toBuffer();
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

  it('is no other file', () => {
    for (const text of ['', 'RIFF', 'RIFF0000WAVE']) expect(WebP.canRead(Buffer.from(text))).toBe(false);
    expect(() => new WebP(Buffer.from('RIFF'))).toThrow('Not a WebP file');
  });
});
