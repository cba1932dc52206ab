/** Images as models give them that sign their own bytes. */

import { createPrivateKey, randomUUID, sign } from 'node:crypto';
import { X509Certificate } from '@peculiar/x509';
import {
  ActionAssertion,
  ActionType,
  ClaimVersion,
  CoseAlgorithmIdentifier,
  DataHashAssertion,
  DigitalSourceType,
  ManifestStore,
  PNG,
} from '../../lambda/images/c2pa/library';
import { newCredentials } from '../../lib/deploy-time/signing-key/make-signing-key';
import {
  ThumbnailAssertion,
  ThumbnailType,
} from '../../node_modules/@trustnxt/c2pa-ts/dist/manifest/index.js';

/** @returns the image with a manifest of another signer, which has a thumbnail of some length in it */
export async function signedByModel(png: Uint8Array, thumbnailBytes: number): Promise<Uint8Array> {
  const pem = newCredentials();
  const key = createPrivateKey(pem);
  const signer = {
    certificate: new X509Certificate(pem.slice(pem.indexOf('-----BEGIN CERTIFICATE'))),
    chainCertificates: [],
    algorithm: CoseAlgorithmIdentifier.ES256,
    sign: async (payload: Uint8Array) => sign('sha256', payload, { key, dsaEncoding: 'ieee-p1363' }),
  };
  const asset = new PNG(new Uint8Array(png));
  const store = new ManifestStore();
  const manifest = store.createManifest({
    claimVersion: ClaimVersion.V2,
    assetFormat: 'image/png',
    instanceID: `xmp:iid:${randomUUID()}`,
    defaultHashAlgorithm: 'SHA-256',
    signer,
  });
  if (manifest.signature) manifest.signature.signatureData.paddingLength = 100;
  const actions = new ActionAssertion();
  const digitalSourceType = DigitalSourceType.TrainedAlgorithmicMedia;
  actions.actions = [{ action: ActionType.C2paCreated, digitalSourceType, softwareAgent: { name: 'model' } }];
  const binding = DataHashAssertion.create('SHA-256');
  const thumbnail = ThumbnailAssertion.create('jpeg', new Uint8Array(thumbnailBytes), ThumbnailType.Claim);
  for (const each of [actions, thumbnail, binding]) manifest.addAssertion(each);
  await asset.ensureManifestSpace(store.measureSize());
  await binding.updateWithAsset(asset);
  await manifest.sign(signer);
  await asset.writeManifestJUMBF(store.getBytes());
  return asset.getDataRange();
}
