/**
 * The choice, `CHOICE#…`: up to 20 images of one provider for words, orientation, language and filters, best first. A seed
 * is a place in the choice, whatever the size. A choice that is not kept yet is what a search finds, ranked; a refresh keeps
 * each image that still exists in its place.
 */

import { signalWithin } from '../base/deadline';
import { orLogged } from '../base/or-logged';
import { isOutage } from '../base/outage';
import { sha256Hex } from '../base/sha256-hex';
import { shareWork } from '../base/single-flight';
import { pickKeptMs, type StockSlot } from '../contract/providers';
import { providerAttemptTimeoutMs } from '../contract/timeouts';
import { type Candidate, orientationOf } from '../images/image';
import type { Entry } from '../images/picked-images';
import { filterTexts, identityOf, type StockRequest } from '../requests/image-request';
import { askProvider } from './ask-provider';
import { readItemValue, replaceItem, type StoredItem } from './items';
import { fitOf, isAllowed, ranked } from './rank';
import type { Choice, Search, Searched } from './search';
import { takeSearch } from './search-caller';
import type { StockProvider, StockQuery } from './stock-provider';
import type { StockServices } from './stock-services';

/** Most images of a choice. */
const entriesMax = 20;
const dayMs = 86_400_000;
/** How long a choice, and what its provider said of an image, is believed, in milliseconds. */
export const choiceFreshForMs = 30 * dayMs;

/** A choice, and where it is from. */
export interface Chosen extends Searched {
  readonly slot: StockSlot;
  readonly provider: StockProvider;
}

/** When the provider is searched again (epoch, milliseconds): soon, where nothing that it had fits the words. */
export function freshUntilMs({ entries, searchedMs }: Choice): number {
  const [best] = entries;
  return searchedMs + (best === undefined || best.fit === 'loose' ? dayMs : choiceFreshForMs);
}

/**
 * The choice of a slot's provider for a search: the one that is kept, or what the provider is searched for. Never throws:
 * what a table does not answer is a failure.
 * @param requestsMax requests that may be sent to the provider
 */
export async function choose(
  services: StockServices,
  search: Search,
  slot: StockSlot,
  provider: StockProvider,
  requestsMax: number,
): Promise<Chosen> {
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

/** Searches the operator's own photographs. No choice is kept, as their index says all there is. @throws when it is not read */
async function searchOwn(
  services: StockServices,
  provider: StockProvider,
  search: Search,
): Promise<Searched> {
  const found = await provider.search(queryFor(search), signalWithin(services, providerAttemptTimeoutMs));
  const value = refreshed(undefined, entriesOf(services, provider, search, found), services.clock.nowMs());
  return { requests: 0, kept: { value, version: '' } };
}

async function keptOrSearched(
  services: StockServices,
  provider: StockProvider,
  search: Search,
  requestsMax: number,
): Promise<Searched> {
  const { request, caller } = search;
  const key = choiceKey(services, provider, request);
  const kept = await readItemValue<Choice>(services, services.tables.images, key);
  if (kept && freshUntilMs(kept.value) > services.clock.nowMs()) return { requests: 0, kept };
  // What ends a search for one caller may not end it for another.
  const { result, leads } = shareWork(services.memory.searching, `${key} ${caller.owner}`, () =>
    searchAnew(services, provider, search, requestsMax, kept),
  );
  return leads ? result : { ...(await result), requests: 0 };
}

/** Searches, and keeps what is found; what is kept of an earlier search stands in for a provider that fails. */
async function searchAnew(
  services: StockServices,
  provider: StockProvider,
  search: Search,
  requestsMax: number,
  before: StoredItem<Choice> | undefined,
): Promise<Searched> {
  const { asker, id } = search.caller;
  const stood = before && { kept: before };
  const refusal = await takeSearch(services, search.caller);
  if (refusal) return { requests: 0, ...(stood ?? { refusal }) };
  const reply = await askProvider(services, provider, { asker, requestsMax, id }, (signal, takeRequest) =>
    provider.search(queryFor(search), signal, takeRequest),
  );
  const { requests } = reply;
  if (reply.outcome === 'failed') {
    const { retryMs } = reply;
    return { requests, failure: { ...(retryMs !== undefined && { retryMs }) }, ...stood };
  }
  // A provider that refuses these very words has no image for them.
  const found = entriesOf(services, provider, search, reply.outcome === 'answered' ? reply.answer : []);
  const value = refreshed(before?.value, found, services.clock.nowMs());
  return { requests, kept: await keepChoice(services, provider, search.request, value, before) };
}

/**
 * The choice after another search. An entry that was not found again may exist all the same: it is checked when it is next
 * asked for. A choice of loose images is made anew.
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

/** A choice without one of its images, whose place the best new one takes where pages may show others by theirs. */
export function withoutEntry(choice: Choice, place: number): Choice {
  const entries = [...choice.entries];
  if (place >= choice.settled) return { ...choice, entries: entries.toSpliced(place, 1) };
  const [best] = entries.splice(choice.settled, 1);
  entries.splice(place, 1, ...(best ? [best] : []));
  return { ...choice, entries, settled: best ? choice.settled : choice.settled - 1 };
}

/**
 * Keeps a choice in place of the one that it was made from; another one that was kept meanwhile stays, and is returned.
 * Never throws: what is not kept has the version of what was never read.
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

/** Key of the item of a choice. Never depends on the exact size, and always on each filter that decides what is found. */
function choiceKey(
  { settings }: StockServices,
  { name }: Pick<StockProvider, 'name'>,
  request: StockRequest,
): string {
  // How an image is cut and what follows a miss decide nothing about which images there are.
  const { crop: _crop, onmiss: _onmiss, ...deciding } = request.filters;
  // The images of a fake provider are at its own address.
  const identity = [identityOf(request.query), ...filterTexts(deciding), settings.endpoints[name]];
  return `CHOICE#${name}#${orientationOf(request)}#${sha256Hex(JSON.stringify(identity))}`;
}

/** What a provider offers that the request allows, best first. */
function entriesOf(
  { clock }: StockServices,
  { capability }: StockProvider,
  { request, subject }: Search,
  candidates: readonly Candidate[],
): readonly Entry[] {
  const { avoid = [], color, license } = request.filters;
  const allowed = candidates.filter(({ attribution }) => isAllowed(attribution.license, license));
  const best = ranked(allowed, {
    subject,
    orientation: orientationOf(request),
    avoid: [...avoid, ...subject.avoid],
    color,
    isRankedByRelevance: capability.ranksByRelevance,
  });
  const checkedMs = clock.nowMs();
  return best.map((candidate) => ({ candidate, fit: fitOf(candidate, subject), checkedMs }));
}

/** What a provider is searched for. */
function queryFor({ request, subject }: Search): StockQuery {
  const { color, license } = request.filters;
  return {
    subject,
    orientation: orientationOf(request),
    ...(color !== undefined && { color }),
    ...(license !== undefined && { license }),
  };
}
