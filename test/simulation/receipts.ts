/** Records what each request's response says about its charge: the ledger is checked against these receipts alone. */

import type { GenerationIndex } from '../../lambda/generation/generation';
import { chargedKey, isSet, type Limit } from '../../lambda/quota/quota';
import type { QuotaCounters } from '../../lambda/quota/quota-counters';

/** One unit that a request or an execution has asked for. `open` is a call without a response. */
interface Charge {
  readonly quotaKey: string;
  /** Whose counter it is, as JSON. */
  readonly counter: string;
  outcome: 'open' | 'charged' | 'unknown' | 'refused';
  refund: 'none' | 'open' | 'done' | 'failed';
}

/** What one request was told: its charges, of which all but one were given back, and the delivery that it claimed. */
export interface Receipt {
  readonly charges: Charge[];
  /** Units of the windows beside the quota. */
  readonly beside: Charge[];
  delivery: 'none' | 'open' | 'taken' | 'missed';
  /** The execution whose first delivery was claimed. */
  execution?: string;
}

export interface Receipts {
  /** @param id of a request or an execution */
  readonly of: (id: string) => Receipt;
  readonly all: () => Iterable<Receipt>;
  /** The highest limit that a counter was charged under; none for one that has never been. */
  readonly limitOf: (key: string) => number;
  watchCounters(counters: QuotaCounters): QuotaCounters;
  watchIndex(index: GenerationIndex): GenerationIndex;
}

export function createReceipts(): Receipts {
  const receipts = new Map<string, Receipt>();
  const limits = new Map<string, number>();
  const of = (id: string): Receipt => {
    let receipt = receipts.get(id);
    if (!receipt) {
      receipt = { charges: [], beside: [], delivery: 'none' };
      receipts.set(id, receipt);
    }
    return receipt;
  };
  const chargesOf = ({ counter }: Limit, id: string) =>
    counter.kind === 'fair-use' ? of(id).beside : of(id).charges;
  return {
    of,
    all: () => receipts.values(),
    limitOf: (key) => limits.get(key) ?? 0,
    watchCounters: (counters) => ({
      ...counters,
      async charge(limit, id) {
        const quotaKey = chargedKey(limit, id);
        limits.set(quotaKey, Math.max(limit.limit, limits.get(quotaKey) ?? 0));
        const charge: Charge = {
          quotaKey,
          counter: JSON.stringify(limit.counter),
          outcome: 'open',
          refund: 'none',
        };
        chargesOf(limit, id).push(charge);
        // A set is written to again after a lost answer, whatever comes of that.
        const failed = isSet(limit) ? 'unknown' : 'refused';
        try {
          const charged = await counters.charge(limit, id);
          const { outcome } = charged;
          charge.outcome = outcome === 'throttled' ? failed : outcome === 'exhausted' ? 'refused' : outcome;
          return charged;
        } catch (error) {
          charge.outcome = failed;
          throw error;
        }
      },
      async refund(limit, id) {
        const quotaKey = chargedKey(limit, id);
        const charge = chargesOf(limit, id).findLast((each) => each.quotaKey === quotaKey);
        if (!charge) throw new Error(`${id} gives back what it has not taken from ${quotaKey}`);
        charge.refund = 'open';
        try {
          await counters.refund(limit, id);
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

/** Fewest and most units that charges may have left behind, on one counter or on all. */
export function unitsOf(charges: readonly Charge[], quotaKey?: string): readonly [min: number, max: number] {
  let [min, max] = [0, 0];
  for (const { outcome, refund, quotaKey: charged } of charges) {
    const isNone = outcome === 'refused' || (outcome === 'charged' && refund === 'done');
    if (isNone || (quotaKey ?? charged) !== charged) continue;
    max += 1;
    if (outcome === 'charged' && refund === 'none') min += 1;
  }
  return [min, max];
}
