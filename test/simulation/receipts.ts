/** Records what each request's response says about its charge: the ledger is checked against these receipts alone. */

import type { GenerationIndex } from '../../lambda/generation/generation-index';
import { counterKey } from '../../lambda/quota/quota';
import type { QuotaCounters } from '../../lambda/quota/quota-counters';

/** The charges of one request. `open` is a call without a response. */
export interface Receipt {
  quotaKey?: string;
  charge: 'none' | 'open' | 'charged' | 'unknown' | 'refused';
  refund: 'none' | 'open' | 'done' | 'failed';
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
      receipt = { charge: 'none', refund: 'none', delivery: 'none' };
      receipts.set(requestId, receipt);
    }
    return receipt;
  };
  return {
    of,
    watchCounters: (counters) => ({
      ...counters,
      async consume(allowance, requestId) {
        if (allowance.counter.kind === 'fair-use') return counters.consume(allowance, requestId);
        const receipt = of(requestId);
        receipt.quotaKey = counterKey(allowance);
        receipt.charge = 'open';
        try {
          const consumption = await counters.consume(allowance, requestId);
          const { outcome } = consumption;
          receipt.charge = outcome === 'exhausted' || outcome === 'throttled' ? 'refused' : outcome;
          return consumption;
        } catch (error) {
          receipt.charge = 'refused';
          throw error;
        }
      },
      async refund(allowance, requestId) {
        if (allowance.counter.kind === 'fair-use') return counters.refund(allowance, requestId);
        const receipt = of(requestId);
        receipt.refund = 'open';
        try {
          await counters.refund(allowance, requestId);
          receipt.refund = 'done';
        } catch (error) {
          receipt.refund = 'failed';
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

/** Fewest and most units that a request may have left behind as an ordinary charge. */
export function unitsOf({ charge, refund }: Receipt): readonly [min: number, max: number] {
  if (charge === 'none' || charge === 'refused') return [0, 0];
  if (charge !== 'charged') return [0, 1];
  if (refund === 'none') return [1, 1];
  return refund === 'done' ? [0, 0] : [0, 1];
}
