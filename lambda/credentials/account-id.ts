/** Account ids: the names under which keys, quotas and generations of one customer are kept. */

import type { Branded } from '../base/branded';

/** Any text but the empty one; made by `issueKey`, and read by `isAccountId`. */
export type AccountId = Branded<string, 'AccountId'>;

/** Whether a text can name an account. */
export function isAccountId(text: string): text is AccountId {
  return text !== '';
}
