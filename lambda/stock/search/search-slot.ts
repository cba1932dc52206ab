/** Searches the provider of a slot, where no fresh choice of its images is stored. */

import { shareWork } from '../../base/concurrency';
import { signalWithin } from '../../base/deadline';
import { isOutage } from '../../base/outage';
import type { StockSlot } from '../../contract/providers';
import { providerAttemptTimeoutMs } from '../../contract/timeouts';
import { orientationOf } from '../../images/image';
import type { Refusal } from '../../problems/problem';
import { askProvider } from '../ask-provider';
import { readItemValue } from '../items';
import type { StockProvider, StockQuery } from '../stock-provider';
import type { StockServices } from '../stock-services';
import { choiceAfterSearch, choiceKey, entriesOf, freshUntilMs, storeChoice } from './choice';
import type { Choice, FoundChoice, ProviderResult, SearchRequest, SlotChoice } from './search';

/** The outcome of searching a slot: a choice, which may be an earlier one, or the reason that there is none. */
export type SlotSearch =
  | ({ readonly outcome: 'found' } & SlotChoice)
  /** The caller's work is used up. */
  | { readonly outcome: 'refused'; readonly refusal: Refusal }
  | { readonly outcome: 'failed' };

/** Reads the choice of a slot, or searches its provider. Never throws: an error is a failed step. */
export async function searchSlot(
  services: StockServices,
  search: SearchRequest,
  slot: StockSlot,
  provider: StockProvider,
): Promise<SlotSearch> {
  let result: ProviderResult;
  try {
    result = await (provider.isOwn ? searchOwn : readOrSearch)(services, search, provider);
  } catch (error) {
    services.telemetry.error('A choice was not made', error, { provider: provider.name });
    result = { requests: 0, failure: { isOutage: isOutage(error) } };
  }
  search.progress.record(result);
  const { found, refusal } = result;
  if (found) return { outcome: 'found', slot, provider, ...found };
  return refusal ? { outcome: 'refused', refusal } : { outcome: 'failed' };
}

/** Searches the operator's photographs, whose index is in memory: no choice of them is stored. */
async function searchOwn(
  services: StockServices,
  search: SearchRequest,
  provider: StockProvider,
): Promise<ProviderResult> {
  const signal = signalWithin(services, providerAttemptTimeoutMs);
  const candidates = await provider.search(queryFor(search), signal);
  const nowMs = services.clock.nowMs();
  const choice = choiceAfterSearch(undefined, entriesOf(search, provider, candidates, nowMs), nowMs);
  return { requests: 0, found: { choice } };
}

/** The stored choice while it is fresh, or else a search that concurrent requests of a caller share. */
async function readOrSearch(
  services: StockServices,
  search: SearchRequest,
  provider: StockProvider,
): Promise<ProviderResult> {
  const { clock, stockMemory, tables } = services;
  const key = choiceKey(services, provider, search.request);
  const item = await readItemValue<Choice>(services, tables.images, key);
  const stored = item && { choice: item.value, version: item.version };
  if (stored && freshUntilMs(stored.choice) > clock.nowMs()) return { requests: 0, found: stored };
  // Callers share no search: the limits that end the search of one must not end that of another.
  const { result, isFirst } = shareWork(stockMemory.searching, `${key} ${search.caller.owner}`, () =>
    searchProvider(services, search, provider, stored),
  );
  if (isFirst) return result;
  // The request that began the search has counted it. Its refusal says nothing of another caller without a key.
  const { refusal: _, ...shared } = await result;
  return { ...shared, requests: 0 };
}

/** Searches, and stores the choice. Where that fails or is refused, an older choice stands in. */
async function searchProvider(
  services: StockServices,
  search: SearchRequest,
  provider: StockProvider,
  older: FoundChoice | undefined,
): Promise<ProviderResult> {
  const { caller, request, progress } = search;
  const refusal = await progress.searchUnit.take();
  if (refusal) return { requests: 0, refusal, found: older };
  const { budgetShare: share, requestId } = caller;
  const budget = { share, requestsMax: progress.requestsLeft, requestId };
  const reply = await askProvider(services, provider, budget, (signal, takeRequest) =>
    provider.search(queryFor(search), signal, takeRequest),
  );
  const { requests } = reply;
  if (reply.outcome === 'failed') return { requests, failure: { retryMs: reply.retryMs }, found: older };
  // A provider that refuses these very words has no image for them.
  const candidates = reply.outcome === 'answered' ? reply.content : [];
  const nowMs = services.clock.nowMs();
  const entries = entriesOf(search, provider, candidates, nowMs);
  const choice = choiceAfterSearch(older?.choice, entries, nowMs);
  return { requests, found: await storeChoice(services, provider, request, { ...older, choice }) };
}

function queryFor({ request, subject }: SearchRequest): StockQuery {
  const { color, license } = request.filters;
  return { subject, orientation: orientationOf(request), color, license };
}
