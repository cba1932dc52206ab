/** The books of a quota item must balance after every write; a broken balance raises an alarm at once. */

import type { Telemetry } from '../../../ports/telemetry';

/** Checks `0 ≤ taken = held + spent` in the attributes that a write returned. Reports, never throws. */
export function checkQuotaItem(attributes: Readonly<Record<string, unknown>>, telemetry: Telemetry): void {
  const { taken, held, spent } = attributes as { taken?: number; held?: number; spent?: number };
  if (taken === undefined || held === undefined || spent === undefined) return;
  if (held >= 0 && spent >= 0 && taken === held + spent) return;
  telemetry.count('invariantBroken', { invariant: 'taken-is-held-plus-spent' });
  telemetry.error('A quota item does not balance', undefined, { taken, held, spent });
}
