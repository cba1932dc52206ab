/** Adds a signed C2PA manifest to a rendition of an AI image. */

import { createPrivateKey, randomUUID, sign } from 'node:crypto';
import { X509Certificate } from '@peculiar/x509';
import { Tag } from 'cbor-x';
import type { Size } from '../../requests/rendition';
import { computeCoverScale } from '../image';
import type { ImageMetadata } from '../renderer-job';
import type { EncodedImage } from '../sharp/sharp-codec';
import {
  type Action,
  ActionAssertion,
  ActionType,
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
  type Signer,
} from './library';
import { WebP } from './webp';

const hash = 'SHA-256';
/** How many bytes the length of a signature may vary. The library would reserve 25,000. */
const paddingBytes = 100;

/** The change from a master to its rendition, which the manifest describes. */
export interface SignedEdit {
  readonly generatedBy: NonNullable<ImageMetadata['generatedBy']>;
  readonly masterSize: Size;
  readonly size: Size;
}

/**
 * Adds a signed manifest to a rendition.
 * @param credentialsPem the private key (PKCS #8, P-256) and its certificate with the chain above it
 * @throws when the key cannot be used, so that no image is delivered without its manifest
 */
export async function signImage(
  rendition: EncodedImage,
  edit: SignedEdit,
  credentialsPem: string,
): Promise<EncodedImage> {
  const signer = createManifestSigner(credentialsPem);
  const { bytes, mediaType } = rendition;
  const assetType = [JPEG, WebP, BMFF].find((type) => type.canRead(bytes));
  if (!assetType) throw new Error(`No manifest can be written into ${mediaType}`);
  // The library changes the bytes in place, so it gets a copy.
  const asset = new assetType(new Uint8Array(bytes));
  const store = new ManifestStore();
  const manifest = store.createManifest({
    claimVersion: ClaimVersion.V2,
    assetFormat: mediaType,
    instanceID: `xmp:iid:${randomUUID()}`,
    defaultHashAlgorithm: hash,
    signer,
  });
  const { claim, signature } = manifest;
  if (!claim || !signature) throw new Error('The manifest has no claim');
  claim.claimGeneratorName = 'Image Redirect';
  claim.claimGeneratorVersion = undefined;
  signature.signatureData.paddingLength = paddingBytes;
  const actions = new TimedActions(edit.generatedBy.createdMs);
  actions.actions = listActions(edit);
  manifest.addAssertion(actions);
  const binding =
    asset instanceof BMFF
      ? BMFFHashAssertion.createV3('jumbf manifest', hash)
      : DataHashAssertion.create(hash);
  manifest.addAssertion(binding);
  await asset.ensureManifestSpace(store.measureSize());
  await binding.updateWithAsset(asset);
  await manifest.sign(signer);
  await asset.writeManifestJUMBF(store.getBytes());
  return { ...rendition, bytes: await asset.getDataRange() };
}

function listActions({ generatedBy, masterSize, size }: SignedEdit): Action[] {
  // Rounding may differ by one pixel, which is no crop.
  const scale = computeCoverScale(masterSize, size);
  const isCropped =
    Math.round(masterSize.widthPx * scale) > size.widthPx + 1 ||
    Math.round(masterSize.heightPx * scale) > size.heightPx + 1;
  return [
    {
      action: ActionType.C2paCreated,
      digitalSourceType: DigitalSourceType.TrainedAlgorithmicMedia,
      softwareAgent: { name: generatedBy.model },
    },
    ...(isCropped ? [{ action: ActionType.C2paCropped }] : []),
    ...(scale === 1 ? [] : [{ action: ActionType.C2paResized }]),
    { action: ActionType.C2paTranscoded },
  ];
}

/** An assertion of actions with the time of the first one. The library has no field for that. */
class TimedActions extends ActionAssertion {
  constructor(private readonly firstMs: number) {
    super();
  }

  override generateJUMBFBoxForContent(claim: Claim) {
    const box = super.generateJUMBFBoxForContent(claim) as CBORBox;
    const [firstAction] = (box.content as { actions: { when?: Tag }[] }).actions;
    // RFC 8949, 3.4.1: a date and time as text.
    if (firstAction) firstAction.when = new Tag(new Date(this.firstMs).toISOString(), 0);
    return box;
  }
}

function createManifestSigner(pem: string): Signer {
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
    // The signer of the library writes DER, but C2PA expects the form of RFC 9053, 2.1.
    sign: async (payload) => sign('sha256', payload, { key, dsaEncoding: 'ieee-p1363' }),
  };
}
