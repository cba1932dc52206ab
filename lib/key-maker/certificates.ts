/** Makes self-signed certificates: for manifests of images, and for servers on this machine that are reached over TLS as AWS is. */

import { webcrypto } from 'node:crypto';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

/** A certificate and its key, each as PEM. */
export interface CertificateFiles {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

const dayMs = 86_400_000;

/** A certificate for TLS, valid for a week, for host names (`*.` allowed in front) and for 127.0.0.1. */
export function serverCertificate(hostNames: readonly string[], nowMs: number): Promise<CertificateFiles> {
  const names = hostNames.map((value) => ({ type: 'dns', value }) as const);
  const extensions = [new SubjectAlternativeNameExtension([...names, { type: 'ip', value: '127.0.0.1' }])];
  return selfSigned('CN=loopback', async () => extensions, nowMs, 7);
}

/**
 * Private key and certificate for manifests of images, as PEM, of the form that the C2PA specification asks for (14.5.1).
 * Without a time stamp a signature ends with its certificate and images are kept for years, so it is valid for 20.
 */
export async function newCredentials(nowMs: number): Promise<string> {
  const extensions = async ({ publicKey }: webcrypto.CryptoKeyPair) => [
    new BasicConstraintsExtension(false, undefined, true),
    new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
    new ExtendedKeyUsageExtension([ExtendedKeyUsage.emailProtection]),
    await SubjectKeyIdentifierExtension.create(publicKey as CryptoKey, false, webcrypto as Crypto),
    await AuthorityKeyIdentifierExtension.create(publicKey as CryptoKey, false, webcrypto as Crypto),
  ];
  const name = 'O=Image Redirect, CN=Image Redirect content credentials';
  const { privateKeyPem, certificatePem } = await selfSigned(name, extensions, nowMs, 20 * 365);
  return privateKeyPem + certificatePem;
}

/** What of credentials may be published. */
export function certificateIn(credentials: string): string {
  return credentials.slice(credentials.indexOf('-----BEGIN CERTIFICATE-----'));
}

async function selfSigned(
  name: string,
  extensionsFor: (keys: webcrypto.CryptoKeyPair) => Promise<readonly Extension[]>,
  nowMs: number,
  days: number,
): Promise<CertificateFiles> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      name,
      keys: keys as CryptoKeyPair,
      notBefore: new Date(nowMs - dayMs),
      notAfter: new Date(nowMs + days * dayMs),
      signingAlgorithm: algorithm,
      extensions: [...(await extensionsFor(keys))],
    },
    webcrypto as Crypto,
  );
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return {
    certificatePem: `${certificate.toString('pem')}\n`,
    privateKeyPem: `${PemConverter.encode(pkcs8, 'PRIVATE KEY')}\n`,
  };
}
