/** Sees to it that each use of an image is reported once, and that none happens which could not be reported. */

import { useClaimMs } from '../../contract/timeouts';
import type { ServedImage } from '../../domain/image/image';
import type { Ids } from '../../ports/clock';
import type { Cached, LookupCache } from '../../ports/lookup-cache';
import type { StockProvider } from '../../ports/stock-provider';
import type { Telemetry } from '../../ports/telemetry';
import type { Budget } from './budget';

type Claim =
  /** The use is this request's to report; its call has been taken from the budget. */
  | { readonly outcome: 'claimed' }
  /** Another request for the same has claimed it; `answered` is what that one was answered with, once it is stored. */
  | { readonly outcome: 'shared'; readonly answered?: Cached<ServedImage> }
  /** There is no call left to report it with. */
  | { readonly outcome: 'unaffordable' };

/** @param key of the item that holds what the request was answered with. Never throws. */
export type ClaimUse = (key: string, provider: StockProvider) => Promise<Claim>;

export interface ClaimUseDeps {
  readonly lookups: Pick<LookupCache, 'lease' | 'release'>;
  readonly budget: Budget;
  readonly ids: Pick<Ids, 'hex'>;
  readonly telemetry: Telemetry;
}

export function createClaimUse({ lookups, budget, ids, telemetry }: ClaimUseDeps): ClaimUse {
  return async (key, provider) => {
    const holder = ids.hex(8);
    try {
      const lease = await lookups.lease<ServedImage>(key, holder, useClaimMs);
      if (lease.outcome === 'fresh') return { outcome: 'shared', answered: lease.cached };
      if (lease.outcome === 'busy') return { outcome: 'shared' };
    } catch (error) {
      // A use that is reported twice is milder than one that is not.
      telemetry.error('A use of a stock image was not claimed', error, { provider: provider.name });
    }
    if (await budget.take(provider)) return { outcome: 'claimed' };
    telemetry.count('providerFailures', { provider: provider.name, kind: 'budget' });
    await lookups.release(key, holder).catch(() => undefined); // It ends by itself.
    return { outcome: 'unaffordable' };
  };
}
