/** A self-signed certificate for 127.0.0.1, encoded as DER (RFC 5280). */

import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface Certificate {
  readonly keyPem: string;
  readonly certificatePem: string;
}

/** @param nowMs the moment around which it is valid, for a day */
export function createCertificate(nowMs: number): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = der(0x30, der(0x31, der(0x30, oid(0x55, 0x04, 0x03), der(0x0c, Buffer.from('loopback')))));
  const ecdsaWithSha256 = der(0x30, oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
  const address = der(0x30, der(0x87, Buffer.from([127, 0, 0, 1])));
  const subjectAltName = der(0x30, oid(0x55, 0x1d, 0x11), der(0x04, address));
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    // A leading byte that is neither zero nor negative needs no padding.
    der(0x02, Buffer.from([0x01]), randomBytes(8)),
    ecdsaWithSha256,
    name,
    der(0x30, moment(nowMs - 43_200_000), moment(nowMs + 43_200_000)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, subjectAltName)),
  );
  const signature = sign('sha256', body, privateKey);
  const certificate = der(0x30, body, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
  const base64 = certificate.toString('base64').replace(/.{64}/g, '$&\n');
  return {
    keyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificatePem: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
  };
}

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}

function oid(...bytes: readonly number[]): Buffer {
  return der(0x06, Buffer.from(bytes));
}

/** `yymmddhhmmssZ` */
function moment(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/\D/g, '').slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
}
