/** Makes private keys, and self-signed certificates for the manifests of AI images, all as PEM. */

import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import * as x509 from '@peculiar/x509';

const dayMs = 86_400_000;
/** The life of a certificate in days. A signature without a time stamp ends with it, and images are kept for years. */
const validDays = 20 * 365;

/** Makes a private key and its certificate for manifests, in the form of the C2PA specification (14.5.1). */
export async function makeCredentials(): Promise<string> {
  const nowMs = Date.now();
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      name: 'O=Image Redirect, CN=Image Redirect content credentials',
      keys,
      notBefore: new Date(nowMs - dayMs),
      notAfter: new Date(nowMs + validDays * dayMs),
      signingAlgorithm: algorithm,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.emailProtection]),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey, false, crypto),
        await x509.AuthorityKeyIdentifierExtension.create(keys.publicKey, false, crypto),
      ],
    },
    crypto,
  );
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', keys.privateKey);
  return `${x509.PemConverter.encode(pkcs8, 'PRIVATE KEY')}\n${certificate.toString('pem')}\n`;
}

/** Makes a P-256 private key that signs URLs of private images. */
export function makeSigningKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Returns the public half of a private key. */
export function derivePublicKey(privateKey: string): string {
  return createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString();
}

/** Cuts the certificate, which may be published, out of a private key with its certificate. */
export function cutCertificate(credentials: string): string {
  return credentials.slice(credentials.indexOf('-----BEGIN CERTIFICATE-----'));
}
