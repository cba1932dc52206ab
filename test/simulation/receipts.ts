/** Records what each request's response says about its charge: the ledger is checked against these receipts alone. */

import type { GenerationIndex } from '../../lambda/generation/generation';
import { counterKey } from '../../lambda/quota/quota';
import type { QuotaCounters } from '../../lambda/quota/quota-counters';

/** One unit that a request has asked for. `open` is a call without a response. */
interface Charge {
  readonly quotaKey: string;
  outcome: 'open' | 'charged' | 'unknown' | 'refused';
  refund: 'none' | 'open' | 'done' | 'failed';
}

/** What one request was told: its charges, of which all but one were given back, and the delivery that it claimed. */
export interface Receipt {
  readonly charges: Charge[];
  delivery: 'none' | 'open' | 'taken' | 'missed';
  /** The execution whose first delivery was claimed. */
  execution?: string;
}

export interface Receipts {
  readonly of: (requestId: string) => Receipt;
  watchCounters(counters: QuotaCounters): QuotaCounters;
  watchIndex(index: GenerationIndex): GenerationIndex;
}

export function createReceipts(): Receipts {
  const receipts = new Map<string, Receipt>();
  const of = (requestId: string): Receipt => {
    let receipt = receipts.get(requestId);
    if (!receipt) {
      receipt = { charges: [], delivery: 'none' };
      receipts.set(requestId, receipt);
    }
    return receipt;
  };
  return {
    of,
    watchCounters: (counters) => ({
      ...counters,
      async charge(quota, requestId) {
        if (quota.counter.kind === 'fair-use') return counters.charge(quota, requestId);
        const charge: Charge = { quotaKey: counterKey(quota), outcome: 'open', refund: 'none' };
        of(requestId).charges.push(charge);
        try {
          const charged = await counters.charge(quota, requestId);
          const { outcome } = charged;
          charge.outcome = outcome === 'exhausted' || outcome === 'throttled' ? 'refused' : outcome;
          return charged;
        } catch (error) {
          charge.outcome = 'refused';
          throw error;
        }
      },
      async refund(quota, requestId) {
        const charge = of(requestId).charges.at(-1);
        if (quota.counter.kind === 'fair-use' || !charge) return counters.refund(quota, requestId);
        charge.refund = 'open';
        try {
          await counters.refund(quota, requestId);
          charge.refund = 'done';
        } catch (error) {
          charge.refund = 'failed';
          throw error;
        }
      },
    }),
    watchIndex: (index) => ({
      ...index,
      async takeDelivery(generation, requestId) {
        const receipt = of(requestId);
        receipt.execution = generation.execution;
        receipt.delivery = 'open';
        const isTaken = await index.takeDelivery(generation, requestId);
        receipt.delivery = isTaken ? 'taken' : 'missed';
        return isTaken;
      },
    }),
  };
}

/** Fewest and most units that a request may have left behind as ordinary charges, on one counter or on all. */
export function unitsOf({ charges }: Receipt, quotaKey?: string): readonly [min: number, max: number] {
  let [min, max] = [0, 0];
  for (const { outcome, refund, quotaKey: charged } of charges) {
    const isNone = outcome === 'refused' || (outcome === 'charged' && refund === 'done');
    if (isNone || (quotaKey ?? charged) !== charged) continue;
    max += 1;
    if (outcome === 'charged' && refund === 'none') min += 1;
  }
  return [min, max];
}
