/** What a provider offers for a query: from the shared cache, or asked for by exactly one of all concurrent requests. */

import type { Clock, Ids } from '../base/clock';
import { withDeadline } from '../base/deadline';
import type { Cached, LookupCache } from '../base/lookup-cache';
import { poll } from '../base/poll';
import { createSingleFlight } from '../base/single-flight';
import type { Telemetry } from '../base/telemetry';
import { providerLeaseMs } from '../contract/timeouts';
import { type Candidate, orientationOf } from '../images/image';
import { identityOf, type StockRequest, sha256Hex } from '../requests/image-request';
import type { Ask, Lookup } from './ask-provider';
import type { StockProvider, StockQuery } from './stock-provider';

/** Pauses of requests that wait for the answer, in milliseconds. */
const pauses = { firstPauseMs: 60, longestPauseMs: 400, growth: 1.6 } as const;
/** Every how many reads a request that waits tries to take over. */
const readsPerLease = 3;
/** How long an empty answer is believed, in milliseconds, where the provider does not say otherwise. */
const emptyFreshForMs = 600_000;
/** How long a provider is not asked again after a failure, in milliseconds, so that requests that wait do not all ask it. */
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
  /** Moment (epoch, milliseconds) before which a provider that failed is not asked again. */
  readonly retryAtMs?: number;
}

export interface Supply {
  /** `undefined` when the provider failed and nothing it said earlier may stand in. */
  readonly offer: Cached<Offer> | undefined;
  /** Whether the offer stands in for a provider that failed. */
  readonly isStale: boolean;
  /** Moment (epoch, milliseconds) before which the provider is not asked again; present when it failed. */
  readonly retryAtMs?: number;
}

export interface Candidates {
  /** Never throws: without the cache there is no lease, and without a lease no request asks a provider. */
  supply(lookup: Lookup): Promise<Supply>;
  /** The candidates of an offer whose images are not known to be broken. */
  usableIn(offer: Cached<Offer>): readonly Candidate[];
  /** Remembers images that turned out to be broken. Never throws. */
  markUnusable(lookup: Lookup, offer: Cached<Offer>, ids: readonly string[]): Promise<void>;
}

export interface CandidatesDeps {
  readonly lookups: LookupCache;
  readonly ask: Ask;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'hex'>;
  readonly telemetry: Telemetry;
}

/** Key of the item that holds a provider's offer for a query. */
export function offerKey(provider: string, { words, orientation, color, license }: StockQuery): string {
  const filters = color === undefined && license === undefined ? [] : [color ?? null, license ?? null];
  // Offers of version 1 (`C#`) do not say what their candidates show; they end by themselves.
  return `C2#${provider}#${orientation}#${sha256Hex(JSON.stringify([words, ...filters]))}`;
}

/** The question to a provider: of the filters those that its search takes. */
function queryOf({ capability: { searchFilters } }: StockProvider, request: StockRequest): StockQuery {
  const { color, license } = request.filters;
  return {
    words: identityOf(request.query),
    orientation: orientationOf(request),
    ...(color !== undefined && searchFilters.includes('color') && { color }),
    ...(license !== undefined && searchFilters.includes('license') && { license }),
  };
}

export function createCandidates({ lookups, ask, clock, ids, telemetry }: CandidatesDeps): Candidates {
  const obtaining = createSingleFlight<Supply | 'refused'>();

  const store = async (key: string, offer: Cached<Offer>) => {
    try {
      await lookups.write(key, offer);
    } catch (error) {
      telemetry.error('The answer of a stock provider was not stored', error);
    }
  };

  /** `refused`: the caller has asked as often as it may. */
  const askAndStore = async (
    key: string,
    lookup: Lookup,
    query: StockQuery,
    earlier: Cached<Offer> | undefined,
  ): Promise<Supply | 'refused'> => {
    const { provider } = lookup;
    const response = await ask(lookup, (signal, takeRequest) => provider.search(query, signal, takeRequest));
    const nowMs = clock.nowMs();
    if (response.outcome === 'failed') {
      // One caller's limit is no failure of the provider, so nothing of it is stored.
      if (lookup.refusal) return 'refused';
      const { retryAtMs } = response;
      const freshUntilMs = nowMs + failureFreshForMs;
      const value: Offer = {
        candidates: [],
        unusable: {},
        ...earlier?.value,
        failed: true,
        retryAtMs: Math.max(freshUntilMs, retryAtMs ?? 0),
      };
      const offer = { value, freshUntilMs, staleUntilMs: earlier?.staleUntilMs ?? freshUntilMs };
      await store(key, offer);
      return supplyOf(offer);
    }
    // A provider that refuses these very words has no image for them.
    const candidates = response.outcome === 'answered' ? response.answer : [];
    const { freshForMs, staleForMs, emptyFreshForMs: emptyForMs = emptyFreshForMs } = provider.capability;
    const freshUntilMs = nowMs + (candidates.length > 0 ? freshForMs : emptyForMs);
    const value = { candidates, unusable: {} };
    const offer = {
      value,
      freshUntilMs,
      staleUntilMs: freshUntilMs + (candidates.length > 0 ? staleForMs : 0),
    };
    await store(key, offer);
    return supplyOf(offer);
  };

  const isFresh = (offer: Cached<Offer> | undefined): offer is Cached<Offer> =>
    offer !== undefined && offer.freshUntilMs > clock.nowMs();

  const obtain = async (key: string, lookup: Lookup, query: StockQuery): Promise<Supply | 'refused'> => {
    const earlier = await lookups.read<Offer>(key);
    if (isFresh(earlier)) return supplyOf(earlier);
    const holder = ids.hex(8);
    const waitEndsMs = Math.min(lookup.deadlineMs, clock.nowMs() + providerLeaseMs);

    /** The supply, or `undefined` while another request asks for it. */
    const takeOrRead = async (count: number): Promise<Supply | 'refused' | undefined> => {
      if (count % readsPerLease !== 0 || clock.nowMs() >= waitEndsMs) {
        const seen = await lookups.read<Offer>(key);
        return isFresh(seen) ? supplyOf(seen) : undefined;
      }
      const lease = await lookups.lease<Offer>(key, holder, providerLeaseMs);
      if (lease.outcome === 'leased') {
        const supply = await askAndStore(key, lookup, query, earlier);
        // So that the next caller need not wait for the lease to end.
        if (supply === 'refused') await lookups.release(key, holder).catch(() => undefined);
        return supply;
      }
      return lease.outcome === 'fresh' ? supplyOf(lease.cached) : undefined;
    };
    const isPending = (supply: Supply | 'refused' | undefined) => supply === undefined;
    const waiting = { clock, endsMs: waitEndsMs, ...pauses };
    const supply = await poll(await takeOrRead(0), isPending, takeOrRead, waiting);
    return supply ?? (earlier ? { ...supplyOf(earlier), isStale: true } : nothing);
  };

  /** Concurrent requests of this instance share what one of them obtains. */
  const obtainOnce = async (lookup: Lookup): Promise<Supply> => {
    const { provider, request, deadlineMs } = lookup;
    const query = queryOf(provider, request);
    const key = offerKey(provider.name, query);
    for (;;) {
      const { result, leads } = obtaining(key, () => obtain(key, lookup, query));
      const supply = leads ? await result : await withDeadline(clock, deadlineMs, () => result);
      if (supply !== 'refused') return supply;
      // Another caller's limit says nothing about this one.
      if (leads) return nothing;
    }
  };

  return {
    async supply(lookup) {
      let supply = nothing;
      try {
        supply = await obtainOnce(lookup);
      } catch (error) {
        telemetry.error('A stock lookup failed', error, { provider: lookup.provider.name });
      }
      // Whichever request met the failure, and whenever: it is why this one may have no image.
      if (supply.isStale || !supply.offer) lookup.failed = true;
      lookup.retryAtMs = supply.retryAtMs;
      return supply;
    },

    usableIn({ value: { candidates, unusable } }) {
      const nowMs = clock.nowMs();
      return candidates.filter(({ id }) => (unusable[id] ?? 0) <= nowMs);
    },

    async markUnusable({ provider, request }, offer, broken) {
      const nowMs = clock.nowMs();
      const kept = Object.entries(offer.value.unusable).filter(([, untilMs]) => untilMs > nowMs);
      const added = broken.map((id) => [id, nowMs + unusableForMs] as const);
      const value = { ...offer.value, unusable: Object.fromEntries([...kept, ...added]) };
      // A stale offer may just be replaced by another request, so only a fresh one is written.
      if (isFresh(offer))
        await store(offerKey(provider.name, queryOf(provider, request)), { ...offer, value });
    },
  };
}

const nothing: Supply = { offer: undefined, isStale: false };

function supplyOf(offer: Cached<Offer>): Supply {
  if (!offer.value.failed) return { offer, isStale: false };
  const { candidates, retryAtMs = offer.freshUntilMs } = offer.value;
  return candidates.length > 0 ? { offer, isStale: true, retryAtMs } : { ...nothing, retryAtMs };
}
