/** Obtains the choice of a provider: a stored one (`CHOICE#…`) that is fresh, or that of a new search. */

import { shareWork } from '../../base/concurrency';
import { createSignal } from '../../base/deadline';
import { hashSha256 } from '../../base/hash';
import { isOutage } from '../../base/outage';
import { tryAndLog } from '../../base/telemetry';
import { pickTtlMs } from '../../contract/providers';
import { providerAttemptTimeoutMs } from '../../contract/timeouts';
import { getOrientation } from '../../images/image';
import { listFilterTexts, normaliseWords, type StockRequest } from '../../requests/image-request';
import { askProvider } from '../ask-provider';
import { readStoredValue, replaceItem } from '../items';
import type { StockProvider, StockQuery } from '../stock-provider';
import type { StockServices } from '../stock-services';
import { type Choice, type ChoiceResult, getFreshUntilMs, makeChoice, type VersionedChoice } from './choice';
import type { WordLookup } from './lookup';

/** Obtains the choice of a provider. Never throws, because another slot may have an image. */
export async function obtainChoice(
  services: StockServices,
  lookup: WordLookup,
  provider: StockProvider,
): Promise<ChoiceResult> {
  try {
    if (!provider.isInMemory) return await obtainStoredChoice(services, lookup, provider);
    // A search in memory takes no work, and its choice is not stored.
    const candidates = await provider.search(
      makeQuery(lookup),
      createSignal(services, providerAttemptTimeoutMs),
    );
    const searchedMs = services.clock.nowMs();
    return { found: { choice: makeChoice(lookup, provider, { candidates, searchedMs }) } };
  } catch (error) {
    services.telemetry.error('A choice was not made', error, { provider: provider.name });
    return { failure: { isOutage: isOutage(error) } };
  }
}

/** Reads a choice that is fresh, or else searches. Concurrent requests of one caller share a search. */
async function obtainStoredChoice(
  services: StockServices,
  lookup: WordLookup,
  provider: StockProvider,
): Promise<ChoiceResult> {
  const key = makeChoiceKey(services, provider, lookup.request);
  const item = await readStoredValue<Choice>(services, services.tables.images, key);
  const storedChoice = item && { choice: item.value, version: item.version };
  if (storedChoice && getFreshUntilMs(storedChoice.choice) > services.clock.nowMs())
    return { found: storedChoice };
  // Accounts share no search, because the searches of one account must not count against another.
  const callerKey = `${key} ${lookup.context.account ?? 'anonymous'}`;
  const { result, isFirst } = shareWork(services.stockMemory.runningSearches, callerKey, () =>
    searchProvider(services, lookup, provider, storedChoice),
  );
  const choiceResult = await result;
  // Anonymous callers have different limits, so the refusal of another caller refuses nobody else.
  return choiceResult.refusal && !isFirst ? obtainStoredChoice(services, lookup, provider) : choiceResult;
}

/** Searches, and stores the choice. If the search fails or is refused, the stored choice is used. */
async function searchProvider(
  services: StockServices,
  lookup: WordLookup,
  provider: StockProvider,
  storedChoice: VersionedChoice | undefined,
): Promise<ChoiceResult> {
  const refusal = await lookup.allowance.takeSearchUnit(services);
  if (refusal) return { refusal, found: storedChoice };
  const reply = await askProvider(services, provider, lookup.allowance.makeBudget(), (signal, takeRequest) =>
    provider.search(makeQuery(lookup), signal, takeRequest),
  );
  lookup.allowance.countRequests(reply.requests, reply.outcome === 'failed');
  if (reply.outcome === 'failed') return { failure: { retryAtMs: reply.retryAtMs }, found: storedChoice };
  // If the provider refuses these words, it has no image for them.
  const candidates = reply.outcome === 'answered' ? reply.content : [];
  const searchResult = { candidates, searchedMs: services.clock.nowMs() };
  const choice = makeChoice(lookup, provider, searchResult, storedChoice?.choice);
  return { found: await storeChoice(services, provider, lookup.request, { ...storedChoice, choice }) };
}

function makeQuery({ request, subject }: WordLookup): StockQuery {
  const { color, license } = request.filters;
  return { subject, orientation: getOrientation(request), color, license };
}

/**
 * Stores a choice in place of the version that it was made from. Never throws.
 * @returns the stored choice, which may be another request's; without a version if the table fails
 */
export async function storeChoice(
  services: StockServices,
  provider: StockProvider,
  request: StockRequest,
  { choice, version }: VersionedChoice,
): Promise<VersionedChoice> {
  const { clock, ids, tables, telemetry } = services;
  const pk = makeChoiceKey(services, provider, request);
  const item = { TableName: tables.images, pk, value: choice, endsMs: clock.nowMs() + pickTtlMs };
  const storedItem = await tryAndLog(telemetry, 'A choice was not stored', () =>
    replaceItem(services, item, ids.makeHex(8), version),
  );
  return storedItem ? { choice: storedItem.value, version: storedItem.version } : { choice };
}

/**
 * Makes the key of a choice's item. It depends on the orientation and not on the size. The filters `crop` and
 * `onmiss` are no part of it, because they do not change which images are found.
 */
function makeChoiceKey(
  { stockSettings }: StockServices,
  { name }: StockProvider,
  request: StockRequest,
): string {
  const { crop: _crop, onmiss: _onmiss, ...filters } = request.filters;
  // A fake provider has other images.
  const endpoint = stockSettings.endpoints[name];
  const hashedParts = [normaliseWords(request.query), ...listFilterTexts(filters), endpoint];
  return `CHOICE#${name}#${getOrientation(request)}#${hashSha256(JSON.stringify(hashedParts))}`;
}
