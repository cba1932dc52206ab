/** What a provider offers for a query: from the shared cache, or asked for by exactly one of all concurrent requests. */

import { withDeadline } from '../../async/deadline';
import { poll } from '../../async/poll';
import { createSingleFlight } from '../../async/single-flight';
import { providerLeaseMs } from '../../contract/timeouts';
import type { Candidate } from '../../domain/image/image';
import { sha256Hex } from '../../domain/request/image-request';
import type { Clock, Ids } from '../../ports/clock';
import type { Cached, LookupCache } from '../../ports/lookup-cache';
import type { StockProvider, StockQuery } from '../../ports/stock-provider';
import type { Telemetry } from '../../ports/telemetry';
import type { Ask, Question, Requests } from './ask-provider';

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
  /** Whether this very call caused the provider to be asked. */
  readonly asked: boolean;
  /** Moment (epoch, milliseconds) before which the same lookup asks the provider in vain; present when it failed. */
  readonly retryAtMs?: number;
  /** The provider would have to be asked, and the caller has asked as often as it may. */
  readonly isRefused?: true;
}

export interface Candidates {
  /** Never throws: without the cache there is no lease, and without a lease no request asks a provider. */
  supply(provider: StockProvider, query: StockQuery, requests: Requests, deadlineMs: number): Promise<Supply>;
  /** The candidates of an offer whose images are not known to be broken. */
  usableIn(offer: Cached<Offer>): readonly Candidate[];
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
export function offerKey(provider: string, { words, orientation, color, license }: StockQuery): string {
  const filters = color === undefined && license === undefined ? [] : [color ?? null, license ?? null];
  // Offers of version 1 (`C#`) do not say what their candidates show; they end by themselves.
  return `C2#${provider}#${orientation}#${sha256Hex(JSON.stringify([words, ...filters]))}`;
}

export function createCandidates({ lookups, ask, clock, ids, telemetry }: CandidatesDeps): Candidates {
  const obtaining = createSingleFlight<Supply>();

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
    requests: Requests,
    deadlineMs: number,
  ): Promise<Supply> => {
    const search: Question<readonly Candidate[]> = (signal, takeRequest) =>
      provider.search(query, signal, takeRequest);
    const response = await ask(provider, search, requests, deadlineMs);
    const { asked } = response;
    const nowMs = clock.nowMs();
    if (response.outcome === 'failed') {
      // One caller's limit is no failure of the provider, so nothing of it is stored.
      if (requests.refusal) return { ...nothing, asked, isRefused: true };
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
      return supplyOf(offer, asked);
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
    return supplyOf(offer, asked);
  };

  const isFresh = (offer: Cached<Offer> | undefined): offer is Cached<Offer> =>
    offer !== undefined && offer.freshUntilMs > clock.nowMs();

  const obtain = async (
    key: string,
    provider: StockProvider,
    query: StockQuery,
    requests: Requests,
    deadlineMs: number,
  ) => {
    const earlier = await lookups.read<Offer>(key);
    if (isFresh(earlier)) return supplyOf(earlier, false);
    const holder = ids.hex(8);
    const waitEndsMs = Math.min(deadlineMs, clock.nowMs() + providerLeaseMs);

    /** The supply, or `undefined` while another request asks for it. */
    const takeOrRead = async (count: number): Promise<Supply | undefined> => {
      if (count % readsPerLease !== 0 || clock.nowMs() >= waitEndsMs) {
        const seen = await lookups.read<Offer>(key);
        return isFresh(seen) ? supplyOf(seen, false) : undefined;
      }
      const lease = await lookups.lease<Offer>(key, holder, providerLeaseMs);
      if (lease.outcome === 'leased') {
        const supply = await askAndStore(key, provider, query, earlier, requests, deadlineMs);
        // So that the next caller need not wait for the lease to end.
        if (supply.isRefused) await lookups.release(key, holder).catch(() => undefined);
        return supply;
      }
      return lease.outcome === 'fresh' ? supplyOf(lease.cached, false) : undefined;
    };
    const isPending = (supply: Supply | undefined) => supply === undefined;
    const waiting = { clock, endsMs: waitEndsMs, ...pauses };
    const supply = await poll(await takeOrRead(0), isPending, takeOrRead, waiting);
    return supply ?? (earlier ? { ...supplyOf(earlier, false), isStale: true } : nothing);
  };

  return {
    async supply(provider, query, requests, deadlineMs) {
      const key = offerKey(provider.name, query);
      try {
        for (;;) {
          const { result, leads } = obtaining(key, () => obtain(key, provider, query, requests, deadlineMs));
          if (leads) return await result;
          const supply = await withDeadline(clock, deadlineMs, () => result);
          // Another caller's limit says nothing about this one.
          if (!supply.isRefused) return { ...supply, asked: false };
        }
      } catch (error) {
        telemetry.error('A stock lookup failed', error, { provider: provider.name });
        return nothing;
      }
    },

    usableIn({ value: { candidates, unusable } }) {
      const nowMs = clock.nowMs();
      return candidates.filter(({ id }) => (unusable[id] ?? 0) <= nowMs);
    },

    async markUnusable(provider, query, offer, broken) {
      const nowMs = clock.nowMs();
      const kept = Object.entries(offer.value.unusable).filter(([, untilMs]) => untilMs > nowMs);
      const added = broken.map((id) => [id, nowMs + unusableForMs] as const);
      const value = { ...offer.value, unusable: Object.fromEntries([...kept, ...added]) };
      // A stale offer may just be replaced by another request, so only a fresh one is written.
      if (isFresh(offer)) await store(offerKey(provider.name, query), { ...offer, value });
    },
  };
}

const nothing: Supply = { offer: undefined, isStale: false, asked: false };

function supplyOf(offer: Cached<Offer>, asked: boolean): Supply {
  if (!offer.value.failed) return { offer, isStale: false, asked };
  const { candidates, retryAtMs = offer.freshUntilMs } = offer.value;
  return candidates.length > 0
    ? { offer, isStale: true, asked, retryAtMs }
    : { ...nothing, asked, retryAtMs };
}
