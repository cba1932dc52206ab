/**
 * The choice, `CHOICE#…`: up to 20 images of one provider for words, orientation, language and filters, best
 * first. A seed is a place in the choice, whatever the size. A refresh keeps each image that still exists in
 * its place.
 */

import { signalWithin } from '../../base/deadline';
import { orLogged } from '../../base/or-logged';
import { isOutage } from '../../base/outage';
import { sha256Hex } from '../../base/sha256-hex';
import { shareWork } from '../../base/single-flight';
import { dayMs } from '../../base/window';
import { pickKeptMs, type StockSlot } from '../../contract/providers';
import { providerAttemptTimeoutMs } from '../../contract/timeouts';
import { type Candidate, orientationOf } from '../../images/image';
import type { Entry } from '../../images/picked-images';
import { filterTexts, identityOf, type StockRequest } from '../../requests/image-request';
import { askProvider } from '../ask-provider';
import { readItemValue, replaceItem, type StoredItem } from '../items';
import type { StockProvider, StockQuery } from '../stock-provider';
import type { StockServices } from '../stock-services';
import { fitOf, isAllowed, rankCandidates } from './rank';
import type { Choice, ProviderResult, SearchRequest } from './search';
import { takeSearch } from './search-caller';

/** Most images of a choice. */
const entriesMax = 20;
/** Time for which a choice and its provider's description of an image are valid, in milliseconds. */
export const choiceFreshForMs = 30 * dayMs;

/** The choice of a slot. */
export interface SlotResult extends ProviderResult {
  readonly slot: StockSlot;
  readonly provider: StockProvider;
}

/** Returns when a choice is searched again (epoch, ms): after a day where its best image is loose. */
export function freshUntilMs({ entries, searchedMs }: Choice): number {
  const [best] = entries;
  return searchedMs + (best === undefined || best.fit === 'loose' ? dayMs : choiceFreshForMs);
}

/**
 * Returns the choice of a slot's provider for a search: the kept one, or the result of searching the
 * provider. Never throws: a table that does not answer is a failure.
 * @param requestsMax requests that may be sent to the provider
 */
export async function searchSlot(
  services: StockServices,
  search: SearchRequest,
  slot: StockSlot,
  provider: StockProvider,
  requestsMax: number,
): Promise<SlotResult> {
  try {
    const searched = provider.isOwn
      ? await searchOwn(services, provider, search)
      : await keptOrSearched(services, provider, search, requestsMax);
    return { slot, provider, ...searched };
  } catch (error) {
    services.telemetry.error('A choice was not made', error, { provider: provider.name });
    return { slot, provider, requests: 0, failure: { isOutage: isOutage(error) } };
  }
}

/**
 * Searches the operator's own photographs. No choice is kept: their index is in memory.
 * @throws when it is not read
 */
async function searchOwn(
  services: StockServices,
  provider: StockProvider,
  search: SearchRequest,
): Promise<ProviderResult> {
  const found = await provider.search(queryFor(search), signalWithin(services, providerAttemptTimeoutMs));
  const value = refreshed(undefined, entriesOf(services, provider, search, found), services.clock.nowMs());
  return { requests: 0, kept: { value, version: '' } };
}

/** The kept choice while it is fresh, or else a search that concurrent requests of a caller share. */
async function keptOrSearched(
  services: StockServices,
  provider: StockProvider,
  search: SearchRequest,
  requestsMax: number,
): Promise<ProviderResult> {
  const { request, caller } = search;
  const key = choiceKey(services, provider, request);
  const kept = await readItemValue<Choice>(services, services.tables.images, key);
  if (kept && freshUntilMs(kept.value) > services.clock.nowMs()) return { requests: 0, kept };
  // By caller: the limits that end the search of one may not end that of another.
  const { result, leads } = shareWork(services.stockMemory.searching, `${key} ${caller.owner}`, () =>
    searchAnew(services, provider, search, requestsMax, kept),
  );
  return leads ? result : { ...(await result), requests: 0 };
}

/** Searches, and keeps the choice. Where that fails or is refused, an older choice stands in. */
async function searchAnew(
  services: StockServices,
  provider: StockProvider,
  search: SearchRequest,
  requestsMax: number,
  before: StoredItem<Choice> | undefined,
): Promise<ProviderResult> {
  const { asker, id } = search.caller;
  const older = before && { kept: before };
  const refusal = await takeSearch(services, search.caller);
  if (refusal) return { requests: 0, ...(older ?? { refusal }) };
  const reply = await askProvider(services, provider, { asker, requestsMax, id }, (signal, takeRequest) =>
    provider.search(queryFor(search), signal, takeRequest),
  );
  const { requests } = reply;
  if (reply.outcome === 'failed') {
    const { retryMs } = reply;
    return { requests, failure: { ...(retryMs !== undefined && { retryMs }) }, ...older };
  }
  // A provider that refuses these very words has no image for them.
  const found = entriesOf(services, provider, search, reply.outcome === 'answered' ? reply.content : []);
  const value = refreshed(before?.value, found, services.clock.nowMs());
  return { requests, kept: await keepChoice(services, provider, search.request, value, before) };
}

/**
 * The choice after another search. An entry that was not found again may still exist, so it stays and is
 * checked when it is asked for. A choice of loose images is made anew.
 */
function refreshed(before: Choice | undefined, found: readonly Entry[], nowMs: number): Choice {
  const again = new Map(found.map((entry) => [entry.candidate.id, entry]));
  const settled = before && before.entries[0]?.fit !== 'loose' ? before.entries : [];
  const ids = new Set(settled.map(({ candidate }) => candidate.id));
  const entries = [
    ...settled.map((entry) => again.get(entry.candidate.id) ?? entry),
    ...found.filter(({ candidate }) => !ids.has(candidate.id)),
  ];
  return { entries: entries.slice(0, entriesMax), settled: settled.length, searchedMs: nowMs };
}

/** Takes an image out of a choice. The best new one takes its place, so that the others keep theirs. */
export function withoutEntry(choice: Choice, place: number): Choice {
  const entries = [...choice.entries];
  if (place >= choice.settled) return { ...choice, entries: entries.toSpliced(place, 1) };
  const [best] = entries.splice(choice.settled, 1);
  entries.splice(place, 1, ...(best ? [best] : []));
  return { ...choice, entries, settled: best ? choice.settled : choice.settled - 1 };
}

/**
 * Keeps a choice in place of the one that it was made from. One that was kept meanwhile stays, and is
 * returned. Never throws: a choice that is not kept has the version ''.
 */
export async function keepChoice(
  services: StockServices,
  provider: StockProvider,
  request: StockRequest,
  value: Choice,
  before: StoredItem<Choice> | undefined,
): Promise<StoredItem<Choice>> {
  const { clock, ids, tables, telemetry } = services;
  const pk = choiceKey(services, provider, request);
  const item = { TableName: tables.images, pk, value, endsMs: clock.nowMs() + pickKeptMs };
  const keeping = () => replaceItem(services, item, ids.hex(8), before);
  return (await orLogged(telemetry, 'A choice was not kept', keeping)) ?? { value, version: '' };
}

/** Key of the item of a choice. It depends on every filter that decides what is found, not on the size. */
function choiceKey(
  { stockSettings }: StockServices,
  { name }: Pick<StockProvider, 'name'>,
  request: StockRequest,
): string {
  // `crop` and `onmiss` do not decide which images there are.
  const { crop: _crop, onmiss: _onmiss, ...deciding } = request.filters;
  // A fake provider's images are at its own address.
  const identity = [identityOf(request.query), ...filterTexts(deciding), stockSettings.endpoints[name]];
  return `CHOICE#${name}#${orientationOf(request)}#${sha256Hex(JSON.stringify(identity))}`;
}

/** Ranks what a provider offers and the request allows, best first. */
function entriesOf(
  { clock }: StockServices,
  { capability }: StockProvider,
  { request, subject }: SearchRequest,
  candidates: readonly Candidate[],
): readonly Entry[] {
  const { avoid = [], color, license } = request.filters;
  const allowed = candidates.filter(({ attribution }) => isAllowed(attribution.license, license));
  const best = rankCandidates(allowed, {
    subject,
    orientation: orientationOf(request),
    avoid: [...avoid, ...subject.avoid],
    color,
    isRankedByRelevance: capability.ranksByRelevance,
  });
  const checkedMs = clock.nowMs();
  return best.map((candidate) => ({ candidate, fit: fitOf(candidate, subject), checkedMs }));
}

/** Makes the query for a provider. */
function queryFor({ request, subject }: SearchRequest): StockQuery {
  const { color, license } = request.filters;
  return {
    subject,
    orientation: orientationOf(request),
    ...(color !== undefined && { color }),
    ...(license !== undefined && { license }),
  };
}
