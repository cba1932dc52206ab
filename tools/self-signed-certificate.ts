/** Makes a self-signed certificate for a server on this machine, which is reached over TLS as AWS is. */

import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

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

const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
const commonName = oid(0x55, 0x04, 0x03);
const subjectAltName = oid(0x55, 0x1d, 0x11);
const dayMs = 86_400_000;

/**
 * A P-256 certificate, valid for a week, for host names (`*.` allowed in front) and for 127.0.0.1.
 * Its form is RFC 5280's: https://www.rfc-editor.org/rfc/rfc5280
 */
export function selfSignedCertificate(hostNames: readonly string[], nowMs: number): CertificateFiles {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from('loopback')))));
  const names = sequence(
    ...hostNames.map((host) => der(0x82, Buffer.from(host))),
    der(0x87, Buffer.from([127, 0, 0, 1])),
  );
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    // The first byte keeps the number positive.
    der(0x02, Buffer.from([0x01]), randomBytes(15)),
    ecdsaWithSha256,
    name,
    sequence(utcTime(nowMs - dayMs), utcTime(nowMs + 7 * dayMs)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(subjectAltName, der(0x04, names)))),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', content, privateKey));
  const base64 = sequence(content, ecdsaWithSha256, signature).toString('base64');
  const lines = base64.match(/.{1,64}/g) ?? [];
  return {
    certificatePem: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
    privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
