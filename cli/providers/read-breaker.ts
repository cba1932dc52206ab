/** Reads the state of a provider's circuit, from the record that all instances share. */

import type { LookupCache } from '../../lambda/base/lookup-cache';
import { type CircuitRecord, circuitKey } from '../../lambda/stock/circuit';
import type { BreakerView } from './views';

export async function readBreaker(
  lookups: Pick<LookupCache, 'read'>,
  provider: string,
  nowMs: number,
): Promise<BreakerView> {
  const record = await lookups.read<CircuitRecord>(circuitKey(provider));
  if (!record) return { state: 'closed', failures: 0 };
  const { state, failures, lastFailure } = record.value;
  const isOpen = state === 'open' && record.freshUntilMs > nowMs;
  return {
    state: isOpen ? 'open' : state === 'open' ? 'half-open' : 'closed',
    failures,
    ...(isOpen && { opensAt: new Date(record.freshUntilMs).toISOString() }),
    ...(lastFailure && {
      lastFailure: { kind: lastFailure.kind, at: new Date(lastFailure.atMs).toISOString() },
    }),
  };
}
