/** Signs manifests of generated images with the key and the certificates of the installation. */

import { createPrivateKey, randomUUID, sign } from 'node:crypto';
import { X509Certificate } from '@peculiar/x509';
import { Tag } from 'cbor-x';
import type { Clock } from '../../base/clock';
import type { Telemetry } from '../../base/telemetry';
import type { SignedEdit, SignImage } from '../content-credentials';
import { type Ingredient, ingredientOf, manifestsIn } from './ingredient';
import {
  type Action,
  ActionAssertion,
  ActionType,
  type Asset,
  BMFF,
  BMFFHashAssertion,
  type CBORBox,
  type Claim,
  ClaimVersion,
  CoseAlgorithmIdentifier,
  DataHashAssertion,
  DigitalSourceType,
  JPEG,
  ManifestStore,
  PNG,
  type Signer,
  type TimestampProvider,
} from './library';
import { timeStampsBy } from './time-stamp';
import { WebP } from './webp';

const hash = 'SHA-256';
/** Room in the signature that its length may vary by, in bytes. */
const paddingBytes = 100;
/** Room for the first time stamp of an authority, in bytes; the next ones get what that one took. */
const stampBytesMax = 10_000;
const stampSpareBytes = 500;
/** How long an authority that gave no time stamp is not asked again, in milliseconds. */
const authorityPauseMs = 60_000;
/**
 * Largest manifest, in bytes; where that of a model makes it larger, its thumbnails are left out, and all of it where that
 * is not enough.
 */
export const manifestBytesMax = 20_000;
/** What the file of an image adds around a manifest, in bytes. */
const wrappingBytesMax = 100;

const serviceName = 'Image Redirect';

/**
 * An image whose time stamp fails is signed without one.
 * @param readCredentials the private key (PKCS #8, P-256) and its certificate with the chain above it, as PEM; a line
 * `Time-Stamp-Authority: URL` outside of them names an authority (RFC 3161)
 */
export function createSignImage(
  readCredentials: () => Promise<string>,
  { clock, telemetry }: { readonly clock: Clock; readonly telemetry: Pick<Telemetry, 'error'> },
): SignImage {
  let stampBytes = stampBytesMax;
  let pausedUntilMs = 0;
  return async (rendition, edit) => {
    const pem = await readCredentials();
    const signer = signerOf(pem);
    const [, authority] = /^Time-Stamp-Authority: (\S+)$/m.exec(pem) ?? [];
    if (authority && clock.nowMs() >= pausedUntilMs)
      try {
        const stamp = { by: timeStampsBy(authority, clock), bytesMax: stampBytes };
        const { bytes, spareBytes } = await signWith(signer, rendition, edit, stamp);
        stampBytes = Math.min(stampBytesMax, stampBytes - spareBytes + stampSpareBytes);
        return { ...rendition, bytes };
      } catch (error) {
        stampBytes = stampBytesMax;
        pausedUntilMs = clock.nowMs() + authorityPauseMs;
        telemetry.error('An AI image was signed without a time stamp', error);
      }
    return { ...rendition, bytes: (await signWith(signer, rendition, edit)).bytes };
  };
}

async function signWith(
  signer: Signer,
  { bytes, mediaType }: Parameters<SignImage>[0],
  edit: SignedEdit,
  stamp?: { readonly by: TimestampProvider; readonly bytesMax: number },
): Promise<{ readonly bytes: Uint8Array; readonly spareBytes: number }> {
  const asset = assetOf(bytes);
  if (!asset) throw new Error(`No manifest can be written into ${mediaType}`);

  const draftIn = (store: ManifestStore, ingredient?: Ingredient) => {
    const manifest = store.createManifest({
      claimVersion: ClaimVersion.V2,
      assetFormat: mediaType,
      instanceID: `xmp:iid:${randomUUID()}`,
      defaultHashAlgorithm: hash,
      signer,
    });
    const { claim, signature } = manifest;
    if (!claim || !signature) throw new Error('The manifest has no claim');
    claim.claimGeneratorName = serviceName;
    claim.claimGeneratorVersion = undefined;
    signature.signatureData.paddingLength = paddingBytes + (stamp?.bytesMax ?? 0);
    const actions = new TimedActions(edit.generatedBy.createdMs);
    actions.actions = actionsOf(edit, ingredient?.actions);
    manifest.addAssertion(actions);
    ingredient?.addTo(manifest);
    const binding =
      asset instanceof BMFF
        ? BMFFHashAssertion.createV3('jumbf manifest', hash)
        : DataHashAssertion.create(hash);
    manifest.addAssertion(binding);
    return { store, manifest, binding, signature: signature.signatureData, sizeBytes: store.measureSize() };
  };

  /** With what the model wrote, as much of it as there is room for. */
  const draft = async () => {
    for (const keepsThumbnails of [true, false]) {
      const master = assetOf(edit.master);
      const store = manifestsIn(master);
      if (!store || !master) break;
      try {
        const drafted = draftIn(store, await ingredientOf(store, master, keepsThumbnails));
        if (drafted.sizeBytes <= manifestBytesMax - wrappingBytesMax) return drafted;
      } catch {
        // It can be read, and not be continued.
        break;
      }
    }
    return draftIn(new ManifestStore());
  };

  const { store, manifest, binding, signature, sizeBytes } = await draft();
  await asset.ensureManifestSpace(sizeBytes);
  await binding.updateWithAsset(asset);
  await manifest.sign(signer, stamp?.by);
  await asset.writeManifestJUMBF(store.getBytes());
  return { bytes: await asset.getDataRange(), spareBytes: signature.paddingLength };
}

function assetOf(bytes: Uint8Array): Asset | undefined {
  const type = [JPEG, PNG, WebP, BMFF].find((each) => each.canRead(bytes));
  // A copy: the library corrects offsets in place.
  return type && new type(new Uint8Array(bytes));
}

/** What was done to an image since its model was asked for it. @param first what was done to its manifest before all else */
function actionsOf({ generatedBy, masterSize, size }: SignedEdit, first: readonly Action[] = []): Action[] {
  // What is lost at the sides to reach another ratio; a pixel is rounding.
  const covering = Math.max(size.widthPx / masterSize.widthPx, size.heightPx / masterSize.heightPx);
  const isCropped =
    Math.round(masterSize.widthPx * covering) > size.widthPx + 1 ||
    Math.round(masterSize.heightPx * covering) > size.heightPx + 1;
  return [
    {
      action: ActionType.C2paCreated,
      digitalSourceType: DigitalSourceType.TrainedAlgorithmicMedia,
      softwareAgent: { name: generatedBy.model },
    },
    ...first,
    ...(isCropped ? [{ action: ActionType.C2paCropped }] : []),
    ...(covering === 1 ? [] : [{ action: ActionType.C2paResized }]),
    { action: ActionType.C2paTranscoded },
  ];
}

/** Actions of which the first says when it was done: the library has no field for it. */
class TimedActions extends ActionAssertion {
  constructor(private readonly firstMs: number) {
    super();
  }

  override generateJUMBFBoxForContent(claim: Claim) {
    const box = super.generateJUMBFBoxForContent(claim) as CBORBox;
    const [first] = (box.content as { actions: { when?: Tag }[] }).actions;
    // RFC 8949, 3.4.1: a date and time as text.
    if (first) first.when = new Tag(new Date(this.firstMs).toISOString(), 0);
    return box;
  }
}

/** @param pem private key, certificate, and the chain above it */
function signerOf(pem: string): Signer {
  if (!pem.includes('PRIVATE KEY')) throw new Error('The content credentials have no key');
  const key = createPrivateKey(pem);
  const [certificate, ...chainCertificates] = [
    ...pem.matchAll(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g),
  ].map(([text]) => new X509Certificate(text));
  if (!certificate) throw new Error('The content credentials have no certificate');
  return {
    certificate,
    chainCertificates,
    algorithm: CoseAlgorithmIdentifier.ES256,
    // The library's own signer writes DER, which C2PA (RFC 9053, 2.1) does not read.
    sign: async (payload) => sign('sha256', payload, { key, dsaEncoding: 'ieee-p1363' }),
  };
}
