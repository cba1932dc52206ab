/** What holds for the item of every quota counter: when it expires, and that its numbers balance. */

import type { Allowance } from '../../../domain/quota/quota';
import type { Telemetry } from '../../../ports/telemetry';

/** How long a counter outlives its window, in seconds: late settlements and the sweeper still find it. */
const keptForS = { ip: 3_600, 'fair-use': 2 * 86_400, test: 2 * 86_400, live: 35 * 86_400 } as const;

/** When DynamoDB may delete a counter, in epoch seconds, as its time to live takes them. */
export function counterExpiryS({ counter, window }: Allowance): number {
  return Math.ceil(window.endMs / 1_000) + keptForS[counter.kind === 'account' ? counter.mode : counter.kind];
}

/**
 * Checks `0 ≤ taken = held − heldFree + spent` in the attributes that a write returned: a broken balance raises an alarm
 * at once. `heldFree` are the places among `held` that cost nothing; items from before there were any lack it.
 * Reports, never throws.
 */
export function checkQuotaItem(attributes: Readonly<Record<string, unknown>>, telemetry: Telemetry): void {
  const {
    taken,
    held,
    spent,
    heldFree = 0,
  } = attributes as { taken?: number; held?: number; spent?: number; heldFree?: number };
  if (taken === undefined || held === undefined || spent === undefined) return;
  if (heldFree >= 0 && held >= heldFree && spent >= 0 && taken === held - heldFree + spent) return;
  telemetry.count('invariantBroken', { invariant: 'taken-is-held-plus-spent' });
  telemetry.error('A quota item does not balance', undefined, { taken, held, heldFree, spent });
}
