/** Signs manifests of generated images with the key and the certificates of the installation. */

import { createPrivateKey, randomUUID, sign } from 'node:crypto';
import { X509Certificate } from '@peculiar/x509';
import { Tag } from 'cbor-x';
import type { Clock } from '../../base/clock';
import type { Telemetry } from '../../base/telemetry';
import type { SignedEdit, SignImage } from '../content-credentials';
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
  IngredientAssertion,
  JPEG,
  ManifestStore,
  PNG,
  RelationshipType,
  type Signer,
  SuperBox,
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
/** Largest manifest, in bytes; that of a model is left out where both together are larger. */
export const manifestBytesMax = 20_000;

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
    const kept = ingredientOf(edit.master) !== undefined;

    const signed = async (keeps: boolean): Promise<Uint8Array> => {
      if (authority && clock.nowMs() >= pausedUntilMs)
        try {
          const stamp = { by: timeStampsBy(authority, clock), bytesMax: stampBytes };
          const { bytes, spareBytes } = await signWith(signer, rendition, edit, keeps, stamp);
          stampBytes = Math.min(stampBytesMax, stampBytes - spareBytes + stampSpareBytes);
          return bytes;
        } catch (error) {
          stampBytes = stampBytesMax;
          pausedUntilMs = clock.nowMs() + authorityPauseMs;
          telemetry.error('An AI image was signed without a time stamp', error);
        }
      return (await signWith(signer, rendition, edit, keeps)).bytes;
    };

    const bytes = await signed(kept);
    const isTooLong = kept && bytes.length - rendition.bytes.length > manifestBytesMax;
    return { ...rendition, bytes: isTooLong ? await signed(false) : bytes };
  };
}

/** @param keeps whether the manifest of the model's own image becomes an ingredient */
async function signWith(
  signer: Signer,
  { bytes, mediaType }: Parameters<SignImage>[0],
  edit: SignedEdit,
  keeps: boolean,
  stamp?: { readonly by: TimestampProvider; readonly bytesMax: number },
): Promise<{ readonly bytes: Uint8Array; readonly spareBytes: number }> {
  const store = (keeps && ingredientOf(edit.master)) || new ManifestStore();
  const asset = assetOf(bytes);
  if (!asset) throw new Error(`No manifest can be written into ${mediaType}`);
  const original = store.getActiveManifest();
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
  if (original) {
    const validation = await store.validate(assetOf(edit.master) as Asset);
    const statuses = (success: boolean) =>
      validation.statusEntries
        .filter((each) => each.success === success)
        .map(({ code, url }) => ({ code, ...(url && { url }) }));
    const ingredient = IngredientAssertion.createV3(RelationshipType.InputTo);
    const at = `/c2pa/${original.label}`;
    ingredient.activeManifest = manifest.createHashedReference(at);
    ingredient.claimSignature = manifest.createHashedReference(`${at}/c2pa.signature`);
    ingredient.validationResults = {
      activeManifest: { success: statuses(true), informational: [], failure: statuses(false) },
    };
    manifest.addAssertion(ingredient);
  }
  const actions = new TimedActions(edit.generatedBy.createdMs);
  actions.actions = actionsOf(edit);
  manifest.addAssertion(actions);
  const binding =
    asset instanceof BMFF
      ? BMFFHashAssertion.createV3('jumbf manifest', hash)
      : DataHashAssertion.create(hash);
  manifest.addAssertion(binding);
  await asset.ensureManifestSpace(store.measureSize());
  await binding.updateWithAsset(asset);
  await manifest.sign(signer, stamp?.by);
  await asset.writeManifestJUMBF(store.getBytes());
  return { bytes: await asset.getDataRange(), spareBytes: signature.signatureData.paddingLength };
}

function assetOf(bytes: Uint8Array): Asset | undefined {
  const type = [JPEG, PNG, WebP, BMFF].find((each) => each.canRead(bytes));
  // A copy: the library corrects offsets in place.
  return type && new type(new Uint8Array(bytes));
}

/** What was done to an image since its model was asked for it. */
function actionsOf({ generatedBy, masterSize, size }: SignedEdit): Action[] {
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

/** The manifests that a model wrote into its image; `undefined` where there are none that can be kept. */
function ingredientOf(master: Uint8Array): ManifestStore | undefined {
  try {
    const jumbf = assetOf(master)?.getManifestJUMBF();
    return jumbf && ManifestStore.read(SuperBox.fromBuffer(new Uint8Array(jumbf)));
  } catch {
    return undefined;
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
