/** Verifies signed URLs, before anything else of a request is judged. */

import { bounds, parameters, signedParameters } from '../contract/parameters';
import type { Caller } from '../credentials/caller';
import { readSignerId, signerKeyOf } from '../credentials/signer';
import type { Refusal } from '../problems/problem';
import type { Services } from '../services';
import { faultOf, repetitionIn, type Statement } from './parse-request';
import { isSameSignature, type Signing, urlSignatureOf } from './url-signature';

/**
 * The signing of a request, or why it is refused. The signature is compared before its end, so that an
 * expired link does not tell whether its signature was right.
 * @param caller what the authorizer made of the signer
 */
export async function verifyRequest(
  { readMaster, clock, deadline }: Pick<Services, 'readMaster' | 'clock' | 'deadline'>,
  statement: Statement,
  caller: Caller | { readonly refusal: Refusal },
): Promise<Signing | { readonly refusal: Refusal }> {
  const repetition = repetitionIn(statement);
  if (repetition) return { refusal: repetition };
  if ('refusal' in caller) return caller;
  const { stated } = statement;
  const { signer = '', signature = '', expires } = stated;
  if (expires !== undefined && parameters.expires.read(expires) === undefined) {
    const faults = [faultOf('expires', bounds.expires, expires)];
    return { refusal: { code: 'invalid_parameter', faults } };
  }

  const signerId = readSignerId(signer);
  const isOfCaller = caller.kind !== 'anonymous' && caller.keyId === signerId;
  // A path that cannot be read has no canonical form, so nobody has signed it.
  if (statement.pathFault || !signerId || !isOfCaller) return { refusal: { code: 'invalid_signature' } };
  const key = signerKeyOf(await readMaster(deadline), signerId);
  const signing = { signerId, key, ...(expires !== undefined && { expires }) };
  const covered = Object.fromEntries(signedParameters.map((name) => [name, stated[name]]));
  if (!isSameSignature(urlSignatureOf(signing, covered), signature))
    return { refusal: { code: 'invalid_signature' } };
  const isOver = expires !== undefined && Number(expires) * 1_000 <= clock.nowMs();
  return isOver ? { refusal: { code: 'link_expired' } } : signing;
}
