/** Finds the choice of a provider. A stored choice that is not fresh any more is searched again. */

import { shareWork } from '../../base/concurrency';
import { makeSignal } from '../../base/deadline';
import { isOutage } from '../../base/outage';
import { providerAttemptTimeoutMs } from '../../contract/timeouts';
import { getOrientation } from '../../images/image';
import { takeWork } from '../../quota/take';
import { askProvider } from '../ask-provider';
import { readStoredValue } from '../items';
import type { StockProvider, StockQuery } from '../stock-provider';
import type { StockServices } from '../stock-services';
import { getFreshUntilMs, makeChoice, makeChoiceKey, storeChoice } from './choice';
import { computeBudget, isCounted } from './search-steps';
import type { Choice, ChoiceSearch, FoundChoice, WordSearch } from './search-types';

/** Reads or makes the choice of a provider. Never throws, because an error is a failed step of the search. */
export async function findChoice(
  services: StockServices,
  search: WordSearch,
  provider: StockProvider,
): Promise<ChoiceSearch> {
  const step = await readOrSearch(services, search, provider).catch((error): ChoiceSearch => {
    services.telemetry.error('A choice was not made', error, { provider: provider.name });
    return { kind: 'search', failure: { isOutage: isOutage(error) } };
  });
  search.steps.push(step);
  return step;
}

/** Reads a choice that is fresh, or else searches. Concurrent requests of one caller share a search. */
async function readOrSearch(
  services: StockServices,
  search: WordSearch,
  provider: StockProvider,
): Promise<ChoiceSearch> {
  const { clock, stockMemory, tables } = services;
  if (provider.isInMemory) {
    const candidates = await provider.search(
      makeQuery(search),
      makeSignal(services, providerAttemptTimeoutMs),
    );
    const choice = makeChoice(search, provider, { candidates, searchedMs: clock.nowMs() });
    return { kind: 'search', found: { choice } };
  }
  const key = makeChoiceKey(services, provider, search.request);
  const item = await readStoredValue<Choice>(services, tables.images, key);
  const storedChoice = item && { choice: item.value, version: item.version };
  if (storedChoice && getFreshUntilMs(storedChoice.choice) > clock.nowMs())
    return { kind: 'search', found: storedChoice };
  // Accounts share no search, because the searches of one account must not count against another.
  const callerKey = `${key} ${search.context.account ?? 'anonymous'}`;
  const { result, isFirst } = shareWork(stockMemory.runningSearches, callerKey, () =>
    searchProvider(services, search, provider, storedChoice),
  );
  const step = await result;
  if (isFirst) return step;
  // Anonymous callers have different limits, so the refusal of another caller refuses nobody else.
  if (step.refusal) return readOrSearch(services, search, provider);
  // The first request has counted the search.
  return { kind: 'search', found: step.found, failure: step.failure };
}

/** Searches, and stores the choice. If the search fails or is refused, the older choice is used. */
async function searchProvider(
  services: StockServices,
  search: WordSearch,
  provider: StockProvider,
  older: FoundChoice | undefined,
): Promise<ChoiceSearch> {
  const { request, context } = search;
  const isDue = !context.isPaidBefore && !isCounted(search, 'search');
  const refusal = isDue && (await takeWork(services, context));
  if (refusal) return { kind: 'search', refusal, found: older };
  const budget = computeBudget(search);
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
  return { subject, orientation: getOrientation(request), color, license };
}
