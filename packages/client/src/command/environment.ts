/** What the environment tells the commands: where the service is, by which key, and whose signer signs. */

import type { FetchOptions } from '../fetch-records';
import type { SignerCredentials } from '../signer';

/** A command line that cannot be followed: its message says what to change, and the program ends with code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Root of the service without a trailing slash. @throws `UsageError` where the environment names none */
export function requiredBase(): string {
  const base = process.env['IMAGE_REDIRECT_URL']?.replace(/\/+$/, '');
  if (!base || !URL.canParse(base))
    throw new UsageError('Set IMAGE_REDIRECT_URL to the root of the service.');
  return base;
}

/** Where images come from, and the API key of who pays. @throws `UsageError` where the environment names no service or no key */
export function requiredService(): { readonly base: string; readonly key: string } {
  const [base, key] = [requiredBase(), process.env['IMAGE_REDIRECT_KEY']];
  if (!key?.startsWith('pk_')) throw new UsageError('Set IMAGE_REDIRECT_KEY to an API key, pk_….');
  return { base, key };
}

/** The key for URLs that say nobody who pays; signed URLs and those with a site key are sent without it. */
export function keyFor(url: string): Pick<FetchOptions, 'key'> {
  const key = process.env['IMAGE_REDIRECT_KEY'];
  return key && !/[?&](?:signature|site)=/.test(url) ? { key } : {};
}

/** The signer that the environment names as `id:secret`. @throws `UsageError` where it names none */
export function requiredSigner(): SignerCredentials {
  const [id, secret] = (process.env['IMAGE_REDIRECT_SIGNER'] ?? '').split(':');
  if (!id?.startsWith('sg_') || !secret?.startsWith('sgs_'))
    throw new UsageError('Set IMAGE_REDIRECT_SIGNER to the id and the secret of one signer, sg_…:sgs_….');
  return { id, secret };
}
