/** Verifies the signature of a URL, before the other parameters of the request are checked. */

import type { TimedServices } from '../base/deadline';
import { parameters, signedParameters } from '../contract/parameters';
import type { Caller } from '../credentials/caller';
import { deriveSignerKey, parseSignerId, type SignerServices } from '../credentials/signer';
import type { Refusal } from '../problems/problem';
import { findFaultRefusal, makeFault, type RequestParameters } from './parse-request';
import { computeSignature, isSameSignature, type Signing } from './url-signature';

/**
 * Verifies the signature of a request. The signature is compared before its end is checked. An expired link
 * with a wrong signature thus gets the same refusal as any wrong signature.
 */
export async function verifyRequest(
  { readMaster, clock, deadline }: SignerServices & TimedServices,
  { textByName, pathFault, repetitions, conflicts }: RequestParameters,
  caller: Caller | { readonly refusal: Refusal },
): Promise<Signing | { readonly refusal: Refusal }> {
  const repetitionRefusal = findFaultRefusal(repetitions, conflicts);
  if (repetitionRefusal) return { refusal: repetitionRefusal };
  if ('refusal' in caller) return caller;
  const { signer = '', signature = '', expires } = textByName;
  if (expires !== undefined && parameters.expires.parse(expires) === undefined) {
    const faults = [makeFault('expires', parameters.expires.bounds, expires)];
    return { refusal: { code: 'invalid_parameter', faults } };
  }
  const signerId = parseSignerId(signer);
  const isOfCaller = caller.kind !== 'anonymous' && caller.keyId === signerId;
  // An unreadable path has no canonical form, so nobody can have signed it.
  if (pathFault || !signerId || !isOfCaller) return { refusal: { code: 'invalid_signature' } };
  const key = deriveSignerKey(await readMaster(deadline), signerId);
  const signing = { signerId, key, ...(expires !== undefined && { expires }) };
  const signedTexts = Object.fromEntries(signedParameters.map((name) => [name, textByName[name]]));
  if (!isSameSignature(computeSignature(signing, signedTexts), signature))
    return { refusal: { code: 'invalid_signature' } };
  const hasExpired = expires !== undefined && Number(expires) * 1_000 <= clock.nowMs();
  return hasExpired ? { refusal: { code: 'link_expired' } } : signing;
}
