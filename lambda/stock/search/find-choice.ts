/** Finds the choice of a provider. A stored choice that is not fresh any more is searched again. */

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

/** Reads or makes the choice of a provider. Never throws, because an error is a failed step of the search. */
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
  const choice = makeChoice(search, provider, { candidates, searchedMs: services.clock.nowMs() });
  return { kind: 'search', requests: 0, found: { choice } };
}

/** Shares one search among the concurrent requests of one caller for a choice. */
async function shareSearch(
  { stockMemory }: StockServices,
  { context }: WordSearch,
  key: string,
  searchOnce: () => Promise<ChoiceSearch>,
): Promise<ChoiceSearch> {
  // Callers do not share a search, because the limits of one caller must not refuse another.
  const callerKey = `${key} ${context.account ?? 'anonymous'}`;
  const { result, isFirst } = shareWork(stockMemory.searching, callerKey, searchOnce);
  if (isFirst) return result;
  // The first request has counted the search. Its refusal is left out: anonymous callers have different limits.
  const { found, failure } = await result;
  return { kind: 'search', requests: 0, found, failure };
}

/** Searches, and stores the choice. If the search fails or is refused, the older choice is used. */
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
  // If the provider refuses these words, it has no image for them.
  const candidates = providerReply.outcome === 'answered' ? providerReply.content : [];
  const result = { candidates, searchedMs: services.clock.nowMs() };
  const choice = makeChoice(search, provider, result, older?.choice);
  return { ...step, found: await storeChoice(services, provider, request, { ...older, choice }) };
}

function makeQuery({ request, subject }: WordSearch): StockQuery {
  const { color, license } = request.filters;
  return { subject, orientation: orientationOf(request), color, license };
}
