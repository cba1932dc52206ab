/** Verifies the signature of a signed URL, before anything else about the request is judged. */

import type { Clock } from '../base/clock';
import type { Deadline } from '../base/deadline';
import { bounds, type ParameterName, signedParameters } from '../contract/parameters';
import type { Caller } from '../credentials/caller';
import { readSignerId, signerKeyOf } from '../credentials/signer';
import type { Refusal } from '../problems/problem';
import { receivedText } from '../problems/received';
import type { RawRequest } from './parse-request';
import { readPathForm } from './path-form';
import { type GivenParameters, isSameSignature, type Signing, signatureOf } from './url-signature';

/** What verifying needs of the services of the image function. */
export interface VerifyServices {
  /** The secret from which the keys of all signers are derived. @throws when it cannot be read in time */
  readonly readMaster: (deadline: Deadline) => Promise<string>;
  readonly deadline: Deadline;
  readonly clock: Pick<Clock, 'nowMs'>;
}

type Verification =
  | { readonly outcome: 'verified'; readonly signing: Signing }
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

/**
 * The signature is compared before its end is, so that an expired link does not tell whether its signature was right.
 * @param raw states nothing twice
 * @param caller what the authorizer made of the URL's signer
 */
export async function verifyRequest(
  { readMaster, clock, deadline }: VerifyServices,
  raw: RawRequest,
  caller: Caller,
): Promise<Verification> {
  const given = (name: ParameterName) => raw.values[name]?.[0];
  const until = given('expires');
  if (until !== undefined && !/^\d{1,12}$/.test(until)) {
    const faults = [{ parameter: 'expires', bounds: bounds.expires, received: receivedText(until) }];
    return { outcome: 'refused', refusal: { code: 'invalid_parameter', faults } };
  }

  const parameters = signedParametersOf(raw);
  const signerId = readSignerId(given('signer') ?? '');
  if (!parameters || !signerId || caller.kind === 'anonymous' || caller.keyId !== signerId) return invalid;

  const key = signerKeyOf(await readMaster(deadline), signerId);
  const signing = { signerId, key, ...(until === undefined ? {} : { expires: until }) };
  if (!isSameSignature(signatureOf(signing, parameters), given('signature') ?? '')) return invalid;
  if (until !== undefined && Number(until) * 1_000 <= clock.nowMs())
    return { outcome: 'refused', refusal: { code: 'link_expired' } };
  return { outcome: 'verified', signing };
}

const invalid = { outcome: 'refused', refusal: { code: 'invalid_signature' } } as const;

/** What the signature has to cover, or `undefined` for a request that no signer can have signed. */
function signedParametersOf({ segment, values }: RawRequest): GivenParameters | undefined {
  const path = segment === undefined ? {} : readPathForm(segment);
  if ('fault' in path) return undefined;
  const { extension: _extension, ...stated } = path as { readonly extension?: string };
  const given = Object.fromEntries(signedParameters.map((name) => [name, values[name]?.[0]]));
  return { ...given, ...stated };
}
