/** Searches a provider: from the shared cache, or by a request of exactly one of all concurrent searches. */

import type { Clock, Ids } from '../base/clock';
import { withDeadline } from '../base/deadline';
import type { Cache, Stored } from '../base/item-store';
import { orLogged } from '../base/or-logged';
import { isOutage } from '../base/outage';
import { poll } from '../base/poll';
import { createSingleFlight } from '../base/single-flight';
import type { Telemetry } from '../base/telemetry';
import { providerLeaseMs } from '../contract/timeouts';
import { type Candidate, orientationOf } from '../images/image';
import { sha256Hex } from '../requests/image-request';
import type { Met, ProviderReply, ProviderSearch, SendRequest } from './provider-request';
import type { StockQuery } from './stock-provider';

/** Every how many reads a request that waits tries to take over. */
const readsPerLease = 3;
/** How long an empty answer is believed, in milliseconds, where the provider does not say otherwise. */
const emptyFreshForMs = 600_000;
/** How long a provider is not searched again after a failure, in milliseconds, so that requests that wait do not all search it. */
const failureFreshForMs = 10_000;
/** How long a broken image is passed over, in milliseconds. */
const unusableForMs = 600_000;

/** One provider's answer as it is cached. */
export interface Offer {
  readonly candidates: readonly Candidate[];
  /** Candidate id → moment (epoch, milliseconds) until which its image counts as broken. */
  readonly unusable: Readonly<Record<string, number>>;
  /** The provider failed at its last search; the candidates are what it answered before that. */
  readonly failed?: true;
  /** Moment (epoch, milliseconds) before which a provider that failed is not searched again. */
  readonly retryAtMs?: number;
}

/** What a search found at a provider, and what it met there. */
export interface SearchResult extends Met {
  /** Absent when the provider failed and nothing it said earlier may stand in. */
  readonly offer?: Stored<Offer>;
  /** Whether the offer stands in for a provider that failed. */
  readonly isStale: boolean;
}

/** What providers offer for searches. */
export interface Candidates {
  /**
   * Searches a provider, at most once for all concurrent searches of the same words. Never throws: without the cache
   * there is no lease, and without a lease no request is sent.
   * @param requestsMax requests that may still be sent to the provider
   */
  search(search: ProviderSearch, requestsMax: number): Promise<SearchResult>;
  /** Remembers images that turned out to be broken. Never throws. */
  markBroken(search: ProviderSearch, offer: Stored<Offer>, ids: readonly string[]): Promise<void>;
}

/** What providers are searched with. */
export interface CandidatesDeps {
  readonly cache: Cache;
  readonly send: SendRequest;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'hex'>;
  readonly telemetry: Telemetry;
}

/** Key of the item that holds a provider's offer for a query. */
export function offerKey(provider: string, { subject, orientation, color, license }: StockQuery): string {
  const { query, lang } = subject;
  const identity = [query, color ?? null, license ?? null, lang ?? null];
  return `OFFER#${provider}#${orientation}#${sha256Hex(JSON.stringify(identity))}`;
}

/** What a provider is searched for: of the filters those that its search takes. */
function queryOf({ provider, request, subject }: ProviderSearch): StockQuery {
  const { searchFilters } = provider.capability;
  const { color, license } = request.filters;
  return {
    subject,
    orientation: orientationOf(request),
    ...(color !== undefined && searchFilters.includes('color') && { color }),
    ...(license !== undefined && searchFilters.includes('license') && { license }),
  };
}

/** The candidates of an offer whose images are not known to be broken at a moment (epoch, milliseconds). */
export function usableCandidates({ candidates, unusable }: Offer, nowMs: number): readonly Candidate[] {
  return candidates.filter(({ id }) => (unusable[id] ?? 0) <= nowMs);
}

/** Concurrent searches of all instances for the same words share one request. */
export function createCandidates({ cache, send, clock, ids, telemetry }: CandidatesDeps): Candidates {
  const searching = createSingleFlight<SearchResult>();

  const isFresh = (offer: Stored<Offer> | undefined): offer is Stored<Offer> =>
    offer !== undefined && offer.freshUntilMs > clock.nowMs();

  const store = (key: string, offer: Stored<Offer>) =>
    orLogged(telemetry, 'The answer of a stock provider was not stored', () => cache.write(key, offer));

  /** What is cached of a provider's answer, or of its failure. */
  const offerOf = (
    { provider }: ProviderSearch,
    reply: ProviderReply<readonly Candidate[]>,
    earlier: Stored<Offer> | undefined,
  ): Stored<Offer> => {
    const nowMs = clock.nowMs();
    if (reply.outcome === 'failed') {
      const freshUntilMs = nowMs + failureFreshForMs;
      const retryAtMs = Math.max(freshUntilMs, reply.retryAtMs ?? 0);
      const value = { candidates: [], unusable: {}, ...earlier?.value, failed: true as const, retryAtMs };
      return { value, freshUntilMs, staleUntilMs: earlier?.staleUntilMs ?? freshUntilMs };
    }
    // A provider that refuses these very words has no image for them.
    const candidates = reply.outcome === 'answered' ? reply.answer : [];
    const { freshForMs, staleForMs, emptyFreshForMs: emptyForMs = emptyFreshForMs } = provider.capability;
    const isEmpty = candidates.length === 0;
    const freshUntilMs = nowMs + (isEmpty ? emptyForMs : freshForMs);
    const staleUntilMs = freshUntilMs + (isEmpty ? 0 : staleForMs);
    return { value: { candidates, unusable: {} }, freshUntilMs, staleUntilMs };
  };

  const requestAndStore = async (
    key: string,
    search: ProviderSearch,
    requestsMax: number,
    query: StockQuery,
    earlier: Stored<Offer> | undefined,
  ): Promise<SearchResult> => {
    const { provider } = search;
    const reply = await send(search, requestsMax, (signal, takeRequest) =>
      provider.search(query, signal, takeRequest),
    );
    const { requestsSent, refusal, isAnonymousSpent } = reply;
    if (reply.outcome === 'failed' && refusal) return { ...nothing, requestsSent, refusal };
    const offer = offerOf(search, reply, earlier);
    const isOwn = reply.outcome === 'failed' && isAnonymousSpent;
    if (!isOwn) await store(key, offer);
    const met = { requestsSent, ...(refusal && { refusal }), ...(isOwn && { isAnonymousSpent }) };
    return { ...resultOf(offer), ...met };
  };

  const obtain = async (
    key: string,
    search: ProviderSearch,
    requestsMax: number,
    query: StockQuery,
  ): Promise<SearchResult> => {
    const earlier = await cache.read<Offer>(key);
    if (isFresh(earlier)) return resultOf(earlier);
    const holder = ids.hex(8);
    const waitEndsMs = Math.min(search.deadlineMs, clock.nowMs() + providerLeaseMs);

    /** The result, or `undefined` while another request searches. */
    const leaseOrRead = async (count: number): Promise<SearchResult | undefined> => {
      if (count % readsPerLease !== 0 || clock.nowMs() >= waitEndsMs) {
        const latest = await cache.read<Offer>(key);
        return isFresh(latest) ? resultOf(latest) : undefined;
      }
      const lease = await cache.lease<Offer>(key, holder, providerLeaseMs);
      if (lease.outcome === 'fresh') return resultOf(lease.stored);
      if (lease.outcome === 'busy') return undefined;
      const result = await requestAndStore(key, search, requestsMax, query, earlier);
      // So that the next caller need not wait for the lease to end.
      if (isOfCaller(result)) await cache.release(key, holder).catch(() => undefined);
      return result;
    };
    const isPending = (each: SearchResult | undefined) => each === undefined;
    const result = await poll(await leaseOrRead(0), isPending, leaseOrRead, { clock, endsMs: waitEndsMs });
    return result ?? (earlier ? { ...resultOf(earlier), isStale: true, isFailed: true } : nothing);
  };

  /** Concurrent searches of this instance share what one of them obtains. */
  const obtainOnce = async (search: ProviderSearch, requestsMax: number): Promise<SearchResult> => {
    const query = queryOf(search);
    const key = offerKey(search.provider.name, query);
    for (;;) {
      const { result, leads } = searching(key, () => obtain(key, search, requestsMax, query));
      if (leads) return await result;
      const shared = await withDeadline(clock, search.deadlineMs, () => result);
      const { refusal: _, ...ofAll } = shared;
      if (!isOfCaller(shared)) return { ...ofAll, requestsSent: 0 };
    }
  };

  return {
    async search(search, requestsMax) {
      try {
        return await obtainOnce(search, requestsMax);
      } catch (error) {
        telemetry.error('A stock lookup failed', error, { provider: search.provider.name });
        return { ...nothing, ...(isOutage(error) && { isOutage: true }) };
      }
    },

    async markBroken(search, offer, broken) {
      // A stale offer may just be replaced by another request, so only a fresh one is written.
      if (broken.length === 0 || !isFresh(offer)) return;
      const nowMs = clock.nowMs();
      const kept = Object.entries(offer.value.unusable).filter(([, untilMs]) => untilMs > nowMs);
      const added = broken.map((id) => [id, nowMs + unusableForMs] as const);
      const value = { ...offer.value, unusable: Object.fromEntries([...kept, ...added]) };
      await store(offerKey(search.provider.name, queryOf(search)), { ...offer, value });
    },
  };
}

const nothing: SearchResult = { isStale: false, isFailed: true, requestsSent: 0 };

/** Whether a limit of this caller, or of those without keys, ended the search: nothing is stored of it, as it says nothing about other callers. */
function isOfCaller({ offer, refusal, isAnonymousSpent }: SearchResult): boolean {
  return isAnonymousSpent === true || (refusal !== undefined && !offer);
}

/** Whichever request met a provider's failure, and whenever: it is why this search may find no image. */
function resultOf(offer: Stored<Offer>): SearchResult {
  if (!offer.value.failed) return { offer, isStale: false, requestsSent: 0 };
  const { candidates, retryAtMs = offer.freshUntilMs } = offer.value;
  return { ...nothing, ...(candidates.length > 0 && { offer, isStale: true }), retryAtMs };
}
