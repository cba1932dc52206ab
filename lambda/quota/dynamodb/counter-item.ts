/** What holds for the item of every quota counter: when it expires, and that its numbers balance. */

import type { Telemetry } from '../../base/telemetry';
import type { Allowance } from '../quota';

/** How long a counter outlives its window, in seconds: late settlements and the sweeper still find it. */
const keptForS = { ip: 3_600, 'fair-use': 2 * 86_400, test: 2 * 86_400, live: 35 * 86_400 } as const;

/** When DynamoDB may delete a counter, in epoch seconds, as its time to live takes them. */
export function counterExpiryS({ counter, window }: Allowance): number {
  return Math.ceil(window.endMs / 1_000) + keptForS[counter.kind === 'account' ? counter.mode : counter.kind];
}

/**
 * Checks `0 ≤ taken = held − heldFree + spent + granted − returned` in the attributes that a write returned: a broken
 * balance raises an alarm at once. A counter that grants units holds the last two; reservations hold `held`, and
 * `heldFree`, the places among them that cost nothing. Reports, never throws.
 */
export function checkQuotaItem(attributes: Readonly<Record<string, unknown>>, telemetry: Telemetry): void {
  const { taken, spent, held = 0, heldFree = 0, granted = 0, returned = 0 } = attributes as Sums;
  if (taken === undefined || spent === undefined) return;
  const isSound = heldFree >= 0 && held >= heldFree && spent >= 0 && returned >= 0 && granted >= returned;
  if (isSound && taken === held - heldFree + spent + granted - returned) return;
  telemetry.count('invariantBroken', { invariant: 'taken-is-held-plus-spent' });
  telemetry.error('A quota item does not balance', undefined, {
    taken,
    held,
    heldFree,
    spent,
    granted,
    returned,
  });
}

/** The numbers of a quota item; each is absent until something was counted by it. */
interface Sums {
  readonly taken?: number;
  readonly spent?: number;
  readonly held?: number;
  readonly heldFree?: number;
  readonly granted?: number;
  readonly returned?: number;
}
