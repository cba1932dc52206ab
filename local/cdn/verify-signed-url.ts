/** Checks a CloudFront signed URL with a canned policy, as strictly as can be. */

import { createPublicKey, verify } from 'node:crypto';
import { cannedPolicy, decodeSignature } from '../../lambda/images/delivery-urls/signed-delivery';

/** `code` and `message` are CloudFront's own. */
export type SignatureCheck =
  | { readonly outcome: 'valid' }
  | {
      readonly outcome: 'refused';
      readonly code: 'MissingKey' | 'InvalidKey' | 'AccessDenied';
      readonly message: string;
    };

const names = ['Expires', 'Signature', 'Key-Pair-Id', 'Hash-Algorithm'] as const;

/**
 * @param url as it was requested, byte by byte: parsing it first would forgive differences that CloudFront does not
 * @param keyPairId the only id that is known
 */
export function verifySignedUrl(
  url: string,
  publicKeyPem: string,
  keyPairId: string,
  nowMs: number,
): SignatureCheck {
  const [base = '', query = ''] = split(url, '?');
  const parameters = query.split('&').map((text) => split(text, '='));
  const valuesOf = (name: string) => parameters.filter(([key]) => key === name).map(([, value]) => value);
  const [expires, signature, key, hash] = names.map(valuesOf) as [string[], string[], string[], string[]];
  if (key.length === 0) return refused('MissingKey', 'Missing Key-Pair-Id query parameter or cookie value');
  if (key.length > 1 || key[0] !== keyPairId) return refused('InvalidKey', 'Unknown Key');
  const isComplete = [expires, signature, hash].every(({ length }) => length === 1);
  if (!isComplete || hash[0] !== 'SHA256' || !/^\d{1,12}$/.test(expires[0] ?? '')) return denied;
  const own = parameters.filter(([name]) => !(names as readonly string[]).includes(name));
  const resource = own.length === 0 ? base : `${base}?${own.map((pair) => pair.join('=')).join('&')}`;
  const bytes = decodeSignature(signature[0] ?? '');
  if (!bytes) return denied;
  const policy = Buffer.from(cannedPolicy(resource, expires[0] ?? ''));
  if (!verify('sha256', policy, createPublicKey(publicKeyPem), bytes)) return denied;
  return Number(expires[0]) * 1_000 > nowMs ? { outcome: 'valid' } : denied;
}

/** A text cut at the first separator; the second part is empty where there is none. */
function split(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function refused(code: 'MissingKey' | 'InvalidKey' | 'AccessDenied', message: string): SignatureCheck {
  return { outcome: 'refused', code, message };
}

const denied = refused('AccessDenied', 'Access denied');
