/** Finds the choice of a provider. A stored choice that is not fresh any more is searched again. */

import { shareWork } from '../../base/concurrency';
import { createSignal } from '../../base/deadline';
import { isOutage } from '../../base/outage';
import { providerAttemptTimeoutMs } from '../../contract/timeouts';
import { getOrientation } from '../../images/image';
import { askProvider } from '../ask-provider';
import { readStoredValue } from '../items';
import type { StockProvider, StockQuery } from '../stock-provider';
import type { StockServices } from '../stock-services';
import { type Choice, type ChoiceResult, getFreshUntilMs, makeChoice, type VersionedChoice } from './choice';
import type { WordSearch } from './stock-search';
import { makeChoiceKey, storeChoice } from './stored-choices';

/** Finds the choice of a provider. Never throws, because another slot may have an image. */
export async function findChoice(
  services: StockServices,
  search: WordSearch,
  provider: StockProvider,
): Promise<ChoiceResult> {
  try {
    if (!provider.isInMemory) return await findStoredChoice(services, search, provider);
    // A search in memory takes no work, and its choice is not stored.
    const candidates = await provider.search(
      makeQuery(search),
      createSignal(services, providerAttemptTimeoutMs),
    );
    const searchedMs = services.clock.nowMs();
    return { found: { choice: makeChoice(search, provider, { candidates, searchedMs }) } };
  } catch (error) {
    services.telemetry.error('A choice was not made', error, { provider: provider.name });
    return { failure: { isOutage: isOutage(error) } };
  }
}

/** Reads a choice that is fresh, or else searches. Concurrent requests of one caller share a search. */
async function findStoredChoice(
  services: StockServices,
  search: WordSearch,
  provider: StockProvider,
): Promise<ChoiceResult> {
  const key = makeChoiceKey(services, provider, search.request);
  const item = await readStoredValue<Choice>(services, services.tables.images, key);
  const storedChoice = item && { choice: item.value, version: item.version };
  if (storedChoice && getFreshUntilMs(storedChoice.choice) > services.clock.nowMs())
    return { found: storedChoice };
  // Accounts share no search, because the searches of one account must not count against another.
  const callerKey = `${key} ${search.context.account ?? 'anonymous'}`;
  const { result, isFirst } = shareWork(services.stockMemory.runningSearches, callerKey, () =>
    searchProvider(services, search, provider, storedChoice),
  );
  const choiceResult = await result;
  // Anonymous callers have different limits, so the refusal of another caller refuses nobody else.
  return choiceResult.refusal && !isFirst ? findStoredChoice(services, search, provider) : choiceResult;
}

/** Searches, and stores the choice. If the search fails or is refused, the stored choice is used. */
async function searchProvider(
  services: StockServices,
  search: WordSearch,
  provider: StockProvider,
  storedChoice: VersionedChoice | undefined,
): Promise<ChoiceResult> {
  const refusal = await search.takeSearchUnit(services);
  if (refusal) return { refusal, found: storedChoice };
  const reply = await askProvider(services, provider, search.makeBudget(), (signal, takeRequest) =>
    provider.search(makeQuery(search), signal, takeRequest),
  );
  search.noteRequests(reply.requests, reply.outcome === 'failed');
  if (reply.outcome === 'failed') return { failure: { retryMs: reply.retryMs }, found: storedChoice };
  // If the provider refuses these words, it has no image for them.
  const candidates = reply.outcome === 'answered' ? reply.content : [];
  const searchResult = { candidates, searchedMs: services.clock.nowMs() };
  const choice = makeChoice(search, provider, searchResult, storedChoice?.choice);
  return { found: await storeChoice(services, provider, search.request, { ...storedChoice, choice }) };
}

function makeQuery({ request, subject }: WordSearch): StockQuery {
  const { color, license } = request.filters;
  return { subject, orientation: getOrientation(request), color, license };
}
