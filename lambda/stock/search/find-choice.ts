/** Finds the choice of a provider: reads the stored one, and searches once that is no longer fresh. */

import { shareWork } from '../../base/concurrency';
import { signalWithin } from '../../base/deadline';
import { isOutage } from '../../base/outage';
import { providerAttemptTimeoutMs } from '../../contract/timeouts';
import { orientationOf } from '../../images/image';
import { refusalUnlessTaken } from '../../quota/take';
import { askProvider } from '../ask-provider';
import { readStoredValue } from '../items';
import type { StockProvider, StockQuery } from '../stock-provider';
import type { StockServices } from '../stock-services';
import { findFreshUntilMs, makeChoice, makeChoiceKey, storeChoice } from './choice';
import { computeBudget, isCounted } from './search-steps';
import type { Choice, ChoiceSearch, FoundChoice, SearchStep, WordSearch } from './search-types';

/**
 * Reads or makes the choice of a provider. Never throws: an error is a failed step of the search.
 * @param steps those before
 */
export async function findChoice(
  services: StockServices,
  search: WordSearch,
  provider: StockProvider,
  steps: readonly SearchStep[],
): Promise<ChoiceSearch> {
  try {
    if (provider.isInMemory) return await searchMemory(services, search, provider);
    const key = makeChoiceKey(services, provider, search.request);
    const item = await readStoredValue<Choice>(services, services.tables.images, key);
    const storedChoice = item && { choice: item.value, version: item.version };
    if (storedChoice && findFreshUntilMs(storedChoice.choice) > services.clock.nowMs())
      return { kind: 'search', requests: 0, found: storedChoice };
    return await shareSearch(services, search, key, () =>
      searchProvider(services, search, provider, storedChoice, steps),
    );
  } catch (error) {
    services.telemetry.error('A choice was not made', error, { provider: provider.name });
    return { kind: 'search', requests: 0, failure: { isOutage: isOutage(error) } };
  }
}

async function searchMemory(
  services: StockServices,
  search: WordSearch,
  provider: StockProvider,
): Promise<ChoiceSearch> {
  const signal = signalWithin(services, providerAttemptTimeoutMs);
  const candidates = await provider.search(makeQuery(search), signal);
  const choice = makeChoice(search, provider, candidates, services.clock.nowMs());
  return { kind: 'search', requests: 0, found: { choice } };
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
  const { found, failure } = await result;
  return { kind: 'search', requests: 0, found, failure };
}

/** Searches, and stores the choice. Where that fails or is refused, an older choice stands in. */
async function searchProvider(
  services: StockServices,
  search: WordSearch,
  provider: StockProvider,
  older: FoundChoice | undefined,
  steps: readonly SearchStep[],
): Promise<ChoiceSearch> {
  const { request, context } = search;
  const isDue = !context.isPaidBefore && !isCounted(steps, 'search');
  const refusal = isDue && (await refusalUnlessTaken(services, context.workLimits, context.requestId));
  if (refusal) return { kind: 'search', requests: 0, refusal, found: older };
  const budget = computeBudget(context, steps);
  const providerReply = await askProvider(services, provider, budget, (signal, takeRequest) =>
    provider.search(makeQuery(search), signal, takeRequest),
  );
  const step = { kind: 'search', requests: providerReply.requests, isCounted: isDue } as const;
  if (providerReply.outcome === 'failed')
    return { ...step, failure: { retryMs: providerReply.retryMs }, found: older };
  // A provider that refuses these very words has no image for them.
  const candidates = providerReply.outcome === 'answered' ? providerReply.content : [];
  const choice = makeChoice(search, provider, candidates, services.clock.nowMs(), older?.choice);
  return { ...step, found: await storeChoice(services, provider, request, { ...older, choice }) };
}

function makeQuery({ request, subject }: WordSearch): StockQuery {
  const { color, license } = request.filters;
  return { subject, orientation: orientationOf(request), color, license };
}
