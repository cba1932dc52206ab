/** Finds the choice of a provider: reads the stored one, and searches once that is no longer fresh. */

import { shareWork } from '../../base/concurrency';
import { signalWithin } from '../../base/deadline';
import { isOutage } from '../../base/outage';
import { providerAttemptTimeoutMs } from '../../contract/timeouts';
import { orientationOf } from '../../images/image';
import { askProvider } from '../ask-provider';
import { readStoredValue } from '../items';
import type { StockProvider, StockQuery } from '../stock-provider';
import type { StockServices } from '../stock-services';
import { findFreshUntilMs, makeChoice, makeChoiceKey, storeChoice } from './choice';
import type { Choice, ChoiceSearch, FoundChoice, WordSearch } from './search-types';

/** Reads or makes the choice of a provider. Never throws: an error is a failed step of the search. */
export async function findChoice(
  services: StockServices,
  search: WordSearch,
  provider: StockProvider,
): Promise<ChoiceSearch> {
  let choiceSearch: ChoiceSearch;
  try {
    choiceSearch = await readOrSearch(services, search, provider);
  } catch (error) {
    services.telemetry.error('A choice was not made', error, { provider: provider.name });
    choiceSearch = { requests: 0, failure: { isOutage: isOutage(error) } };
  }
  search.progress.record(choiceSearch);
  return choiceSearch;
}

/** Reads the stored choice, or searches where it is stale or missing. */
async function readOrSearch(
  services: StockServices,
  search: WordSearch,
  provider: StockProvider,
): Promise<ChoiceSearch> {
  if (provider.isInMemory) return searchMemory(services, search, provider);
  const key = makeChoiceKey(services, provider, search.request);
  const item = await readStoredValue<Choice>(services, services.tables.images, key);
  const storedChoice = item && { choice: item.value, version: item.version };
  if (storedChoice && findFreshUntilMs(storedChoice.choice) > services.clock.nowMs())
    return { requests: 0, found: storedChoice };
  return shareSearch(services, search, key, () => searchProvider(services, search, provider, storedChoice));
}

async function searchMemory(
  services: StockServices,
  search: WordSearch,
  provider: StockProvider,
): Promise<ChoiceSearch> {
  const signal = signalWithin(services, providerAttemptTimeoutMs);
  const candidates = await provider.search(makeQuery(search), signal);
  const choice = makeChoice(search, provider, candidates, services.clock.nowMs());
  return { requests: 0, found: { choice } };
}

/** Shares one search among the concurrent requests of a caller for a choice. */
async function shareSearch(
  { stockMemory }: StockServices,
  { context }: WordSearch,
  key: string,
  searchOnce: () => Promise<ChoiceSearch>,
): Promise<ChoiceSearch> {
  // Callers share no search: the limits that end the search of one must not end that of another.
  const { result, isFirst } = shareWork(
    stockMemory.searching,
    `${key} ${context.account ?? 'anonymous'}`,
    searchOnce,
  );
  if (isFirst) return result;
  // The request that began the search has counted it. Its refusal says nothing of another anonymous caller.
  const { refusal: _refusal, ...sharedSearch } = await result;
  return { ...sharedSearch, requests: 0 };
}

/** Searches, and stores the choice. Where that fails or is refused, an older choice stands in. */
async function searchProvider(
  services: StockServices,
  search: WordSearch,
  provider: StockProvider,
  older: FoundChoice | undefined,
): Promise<ChoiceSearch> {
  const { request, progress } = search;
  const refusal = await progress.searchUnit.take();
  if (refusal) return { requests: 0, refusal, found: older };
  const providerReply = await askProvider(services, provider, progress.budget, (signal, takeRequest) =>
    provider.search(makeQuery(search), signal, takeRequest),
  );
  const { requests } = providerReply;
  if (providerReply.outcome === 'failed')
    return { requests, failure: { retryMs: providerReply.retryMs }, found: older };
  // A provider that refuses these very words has no image for them.
  const candidates = providerReply.outcome === 'answered' ? providerReply.content : [];
  const nowMs = services.clock.nowMs();
  const choice = makeChoice(search, provider, candidates, nowMs, older?.choice);
  return { requests, found: await storeChoice(services, provider, request, { ...older, choice }) };
}

function makeQuery({ request, subject }: WordSearch): StockQuery {
  const { color, license } = request.filters;
  return { subject, orientation: orientationOf(request), color, license };
}
