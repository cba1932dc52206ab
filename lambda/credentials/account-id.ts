/** Account ids: the names under which keys, quotas and generations of one customer are kept. */

import type { Branded } from '../base/branded';

/** Made by `accountIdOf` and `isAccountId` only. */
export type AccountId = Branded<string, 'AccountId'>;

/** Whether a value can name an account: any text but the empty one. */
export function isAccountId(value: unknown): value is AccountId {
  return typeof value === 'string' && value !== '';
}

/** @throws `RangeError` when the text cannot name an account */
export function accountIdOf(text: string): AccountId {
  if (isAccountId(text)) return text;
  throw new RangeError('An account id is not empty');
}
