/** What a provider offers for a query: from the shared cache, or asked for by exactly one of all who want to know. */

import { providerLeaseMs } from '../../contract/timeouts';
import type { Candidate } from '../../domain/image/image';
import { sha256Hex } from '../../domain/request/image-request';
import type { Clock, Ids } from '../../ports/clock';
import type { Cached, LookupCache } from '../../ports/lookup-cache';
import type { StockProvider, StockQuery } from '../../ports/stock-provider';
import type { Telemetry } from '../../ports/telemetry';
import type { Ask } from './ask-provider';
import { createCoalescer } from './coalesce';
import { withDeadline } from './deadline';

/** Pauses of those who wait for the answer, in milliseconds: the first, and the longest. */
const pollMs = { first: 60, max: 400 } as const;
/** Every how many looks a waiter tries to take over. */
const looksPerLease = 3;
/** How long an empty answer is believed, in milliseconds, where the provider does not say otherwise. */
const emptyFreshForMs = 600_000;
/** How long nobody asks again after a failure, in milliseconds, so that waiters do not storm a failing provider. */
const failureFreshForMs = 10_000;
/** How long a broken image is passed over, in milliseconds. */
const unusableForMs = 600_000;

/** One provider's answer as it is cached. */
interface Offer {
  readonly candidates: readonly Candidate[];
  /** Candidate id → moment (epoch, milliseconds) until which its image counts as broken. */
  readonly unusable: Readonly<Record<string, number>>;
  /** The provider failed when it was asked last; the candidates are what it answered before that. */
  readonly failed?: true;
}

export interface Supply {
  /** `undefined` when the provider failed and nothing it said earlier may stand in. */
  readonly offer: Cached<Offer> | undefined;
  /** Whether the offer stands in for a provider that failed. */
  readonly isStale: boolean;
  /** Whether this very call caused the provider to be asked. */
  readonly asked: boolean;
}

export interface Candidates {
  /** @throws when the cache does not answer: without a lease nobody asks a provider. */
  supply(provider: StockProvider, query: StockQuery, deadlineMs: number): Promise<Supply>;
  /** Remembers images that turned out to be broken. Never throws. */
  markUnusable(
    provider: StockProvider,
    query: StockQuery,
    offer: Cached<Offer>,
    ids: readonly string[],
  ): Promise<void>;
}

export interface CandidatesDeps {
  readonly lookups: LookupCache;
  readonly ask: Ask;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'hex'>;
  readonly telemetry: Telemetry;
}

/** Key of the item that holds a provider's offer for a query. */
export function offerKey(provider: string, { words, orientation }: StockQuery): string {
  return `C#${provider}#${orientation}#${sha256Hex(words)}`;
}

export function createCandidates({ lookups, ask, clock, ids, telemetry }: CandidatesDeps): Candidates {
  const joined = createCoalescer<Supply>();

  const store = async (key: string, offer: Cached<Offer>) => {
    try {
      await lookups.write(key, offer);
    } catch (error) {
      telemetry.error('The answer of a stock provider was not stored', error);
    }
  };

  const askAndStore = async (
    key: string,
    provider: StockProvider,
    query: StockQuery,
    earlier: Cached<Offer> | undefined,
    deadlineMs: number,
  ): Promise<Supply> => {
    const { candidates, asked } = await ask(provider, query, deadlineMs);
    const nowMs = clock.nowMs();
    if (!candidates) {
      const value: Offer = { candidates: [], unusable: {}, ...earlier?.value, failed: true };
      const freshUntilMs = nowMs + failureFreshForMs;
      const offer = { value, freshUntilMs, staleUntilMs: earlier?.staleUntilMs ?? freshUntilMs };
      await store(key, offer);
      return supplyOf(offer, asked);
    }
    const { freshForMs, staleForMs, emptyFreshForMs: emptyForMs = emptyFreshForMs } = provider.capability;
    const freshUntilMs = nowMs + (candidates.length > 0 ? freshForMs : emptyForMs);
    const value = { candidates, unusable: {} };
    const offer = {
      value,
      freshUntilMs,
      staleUntilMs: freshUntilMs + (candidates.length > 0 ? staleForMs : 0),
    };
    await store(key, offer);
    return supplyOf(offer, asked);
  };

  const obtain = async (key: string, provider: StockProvider, query: StockQuery, deadlineMs: number) => {
    const earlier = await lookups.read<Offer>(key);
    if (isFresh(earlier)) return supplyOf(earlier, false);
    const holder = ids.hex(8);
    const waitEndsMs = Math.min(deadlineMs, clock.nowMs() + providerLeaseMs);
    let pauseMs: number = pollMs.first;
    for (let look = 0; ; look++) {
      if (look % looksPerLease === 0) {
        const lease = await lookups.lease<Offer>(key, holder, providerLeaseMs);
        if (lease.outcome === 'leased') return askAndStore(key, provider, query, earlier, deadlineMs);
        if (lease.outcome === 'fresh') return supplyOf(lease.cached, false);
      } else {
        const seen = await lookups.read<Offer>(key);
        if (isFresh(seen)) return supplyOf(seen, false);
      }
      if (clock.nowMs() + pauseMs >= waitEndsMs) {
        return earlier ? { ...supplyOf(earlier, false), isStale: true } : nothing;
      }
      await clock.sleep(pauseMs);
      pauseMs = Math.min(pauseMs * 1.6, pollMs.max);
    }
  };

  const isFresh = (offer: Cached<Offer> | undefined): offer is Cached<Offer> =>
    offer !== undefined && offer.freshUntilMs > clock.nowMs();

  return {
    async supply(provider, query, deadlineMs) {
      const key = offerKey(provider.name, query);
      const { result, leads } = joined(key, () => obtain(key, provider, query, deadlineMs));
      if (leads) return result;
      return { ...(await withDeadline(clock, deadlineMs, () => result)), asked: false };
    },

    async markUnusable(provider, query, offer, broken) {
      const nowMs = clock.nowMs();
      const kept = Object.entries(offer.value.unusable).filter(([, untilMs]) => untilMs > nowMs);
      const added = broken.map((id) => [id, nowMs + unusableForMs] as const);
      const value = { ...offer.value, unusable: Object.fromEntries([...kept, ...added]) };
      // A stale offer may just be replaced by someone else, so only a fresh one is written.
      if (isFresh(offer)) await store(offerKey(provider.name, query), { ...offer, value });
    },
  };
}

const nothing: Supply = { offer: undefined, isStale: false, asked: false };

function supplyOf(offer: Cached<Offer>, asked: boolean): Supply {
  if (!offer.value.failed) return { offer, isStale: false, asked };
  return offer.value.candidates.length > 0 ? { offer, isStale: true, asked } : { ...nothing, asked };
}
