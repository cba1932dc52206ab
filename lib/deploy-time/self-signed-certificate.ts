/** Makes self-signed certificates: for manifests of images, and for servers on this machine that are reached over TLS as AWS is. */

import { generateKeyPairSync, hash, randomBytes, sign } from 'node:crypto';

/** A certificate and its key, each as PEM. */
export interface CertificateFiles {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

/** DER: tag, length, content. https://www.itu.int/rec/T-REC-X.690 */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const short =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...short]), content]);
}

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const oid = (...bytes: readonly number[]) => der(0x06, Buffer.from(bytes));
const utcTime = (ms: number) =>
  der(0x17, Buffer.from(`${new Date(ms).toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`));

const octets = (content: Uint8Array) => der(0x04, content);
const utf8 = (text: string) => der(0x0c, Buffer.from(text));
const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
/** Attributes and extensions of RFC 5280, below 2.5.4 and 2.5.29. */
const attribute = (number: number, value: string) =>
  der(0x31, sequence(oid(0x55, 0x04, number), utf8(value)));
const extension = (number: number, value: Uint8Array, isCritical = false) =>
  sequence(oid(0x55, 0x1d, number), ...(isCritical ? [der(0x01, Buffer.from([0xff]))] : []), octets(value));
const dayMs = 86_400_000;

/** A certificate for TLS, valid for a week, for host names (`*.` allowed in front) and for 127.0.0.1. */
export function serverCertificate(hostNames: readonly string[], nowMs: number): CertificateFiles {
  const names = sequence(
    ...hostNames.map((host) => der(0x82, Buffer.from(host))),
    der(0x87, Buffer.from([127, 0, 0, 1])),
  );
  return selfSigned([attribute(3, 'loopback')], () => [extension(17, names)], nowMs, 7);
}

/**
 * A certificate for manifests of images, of the form that the C2PA specification asks for (14.5.1). Without a time stamp a
 * signature ends with its certificate and images are kept for years, so it is valid for 20.
 */
export function manifestCertificate(nowMs: number): CertificateFiles {
  const name = [attribute(10, 'Image Redirect'), attribute(3, 'Image Redirect content credentials')];
  const emailProtection = oid(0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x04);
  const extensionsFor = (keyId: Buffer) => [
    extension(19, sequence(), true),
    // Digital signature alone.
    extension(15, der(0x03, Buffer.from([7, 0x80])), true),
    extension(37, sequence(emailProtection)),
    extension(14, octets(keyId)),
    extension(35, sequence(der(0x80, keyId))),
  ];
  return selfSigned(name, extensionsFor, nowMs, 20 * 365);
}

/** A P-256 certificate by RFC 5280: https://www.rfc-editor.org/rfc/rfc5280 */
function selfSigned(
  attributes: readonly Uint8Array[],
  extensionsFor: (keyId: Buffer) => readonly Uint8Array[],
  nowMs: number,
  days: number,
): CertificateFiles {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const keyId = hash('sha256', spki, 'buffer').subarray(0, 20);
  const name = sequence(...attributes);
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    // The first byte keeps the number positive.
    der(0x02, Buffer.from([0x01]), randomBytes(15)),
    ecdsaWithSha256,
    name,
    sequence(utcTime(nowMs - dayMs), utcTime(nowMs + days * dayMs)),
    name,
    spki,
    der(0xa3, sequence(...extensionsFor(keyId))),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', content, privateKey));
  const base64 = sequence(content, ecdsaWithSha256, signature).toString('base64');
  const lines = base64.match(/.{1,64}/g) ?? [];
  return {
    certificatePem: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
    privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
