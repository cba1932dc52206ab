/** The choice of a provider for the words of a request: the one that is kept, or what a search finds, ranked and kept. */

import { signalWithin } from '../base/deadline';
import { orLogged } from '../base/or-logged';
import { isOutage } from '../base/outage';
import type { StockSlot } from '../contract/providers';
import { providerAttemptTimeoutMs } from '../contract/timeouts';
import { type Candidate, orientationOf } from '../images/image';
import { noteGone, pickOf } from '../images/picked-images';
import type { StockRequest } from '../requests/image-request';
import type { RenditionFormat } from '../requests/rendition';
import { type Asker, askProvider, type Reply } from './ask-provider';
import {
  choiceFreshForMs,
  choiceKey,
  entriesMax,
  freshUntilMs,
  keepChoice,
  readChoice,
  refreshed,
} from './choice';
import { isAtItsProvider } from './deliver';
import type { Choice, Entry, Searched } from './found';
import type { StoredItem } from './items';
import { isAllowed, placeOf, ranked } from './rank';
import { fitOf, type Wish } from './score';
import type { SearchCaller } from './search-caller';
import type { StockProvider, StockQuery } from './stock-provider';
import type { StockServices } from './stock-services';
import type { Subject } from './understand';

/** A search for the image of a request. */
export interface Search {
  readonly request: StockRequest;
  /** What its words ask for. */
  readonly subject: Subject;
  readonly format: RenditionFormat;
  readonly caller: SearchCaller;
}

/** A choice, and where it is from. */
export interface Chosen extends Searched {
  readonly slot: StockSlot;
  readonly provider: StockProvider;
}

/** @param requestsMax requests that may be sent to the provider. Never throws: what a table does not answer is an outage. */
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
    return { slot, provider, requests: 0, isFailed: true, isOutage: isOutage(error) };
  }
}

/** Nothing is kept of what the service finds itself: its index says all there is. @throws when that is not read */
async function searchOwn(
  services: StockServices,
  provider: StockProvider,
  search: Search,
): Promise<Searched> {
  const candidates = await provider.search(
    queryFor(provider, search),
    signalWithin(services, providerAttemptTimeoutMs),
  );
  const entries = entriesOf(provider, search, candidates, services.clock.nowMs());
  return { requests: 0, kept: { value: { entries, searchedMs: services.clock.nowMs() }, version: '' } };
}

async function keptOrSearched(
  services: StockServices,
  provider: StockProvider,
  search: Search,
  requestsMax: number,
): Promise<Searched> {
  const key = choiceKey(provider.name, search.request);
  const kept = await readChoice(services, key);
  const isFresh = kept && freshUntilMs(kept.value) > services.clock.nowMs();
  if (
    isFresh &&
    kept.value.entries.every(({ candidate }) => isAtItsProvider(provider, candidate, search.request))
  )
    return { requests: 0, kept };
  const { asker } = search.caller;
  // What ends a search for one caller may not end it for another.
  const owner = typeof asker === 'string' ? asker : asker.account;
  const { result, leads } = services.memory.searching(`${key} ${owner}`, () =>
    searchAnew(services, provider, search, requestsMax, key, kept),
  );
  const searched = await result;
  return leads ? searched : { ...searched, requests: 0 };
}

/** Searches, and keeps what is found; what is kept of an earlier search stands in for a provider that fails. */
async function searchAnew(
  services: StockServices,
  provider: StockProvider,
  search: Search,
  requestsMax: number,
  key: string,
  before: StoredItem<Choice> | undefined,
): Promise<Searched> {
  const stood = before && { kept: before };
  const refusal = await search.caller.takeSearch();
  if (refusal) return { requests: 0, ...stood, ...(stood ? {} : { refusal }) };
  const { asker, id } = search.caller;
  const reply: Reply<readonly Candidate[]> = await askProvider(
    services,
    provider,
    { asker, requestsMax, id },
    (signal, takeRequest) => provider.search(queryFor(provider, search), signal, takeRequest),
  );
  const { requests } = reply;
  if (reply.outcome === 'failed') {
    const { retryMs } = reply;
    return { requests, isFailed: true, ...stood, ...(retryMs !== undefined && { retryMs }) };
  }
  // A provider that refuses these very words has no image for them.
  const candidates = reply.outcome === 'answered' ? reply.answer : [];
  const nowMs = services.clock.nowMs();
  const found = entriesOf(provider, search, candidates, nowMs);
  const asked = before && entryAt(before.value, search.request.seed);
  const isLost = asked && !found.some(({ candidate }) => candidate.id === asked.candidate.id);
  const checked = isLost
    ? await checkEntry(services, provider, asked, asker, requestsMax - requests, id)
    : undefined;
  const gone = new Set(checked?.outcome === 'gone' ? [checked.entry.candidate.id] : []);
  const value = refreshed(before?.value, found, gone, nowMs);
  const keeping = () => keepChoice(services, key, value, before);
  const kept = await orLogged(services.telemetry, 'A choice was not kept', keeping);
  return { requests: requests + (checked?.requests ?? 0), kept: kept ?? { value, version: '' } };
}

/** What became of asking a provider about one image. */
type CheckedEntry = {
  /** Requests that were sent. */
  readonly requests: number;
  readonly entry: Entry;
  /** `unknown`: it was not asked, or did not answer. */
  readonly outcome: 'exists' | 'gone' | 'unknown';
};

/** Asks a provider whether it still has an image, and what it says of it now. */
export async function checkEntry(
  services: StockServices,
  provider: StockProvider,
  entry: Entry,
  asker: Asker,
  requestsMax: number,
  id: string,
): Promise<CheckedEntry> {
  const { candidate } = entry;
  const { byId } = provider;
  if (!byId) return { requests: 0, entry, outcome: 'exists' };
  const reply = await askProvider(services, provider, { asker, requestsMax, id }, (signal) =>
    byId(candidate.id, signal),
  );
  const { requests } = reply;
  if (reply.outcome !== 'answered') return { requests, entry, outcome: 'unknown' };
  if (!reply.answer) {
    await noteGone(services, pickOf(provider.name, candidate.id));
    return { requests, entry, outcome: 'gone' };
  }
  // What a search said about the image is kept: an answer by id says less, and has no rank.
  const said = { ...candidate, ...reply.answer, description: candidate.description };
  return {
    requests,
    entry: { ...entry, candidate: said, checkedMs: services.clock.nowMs() },
    outcome: 'exists',
  };
}

/** Whether what a provider said of an image is too old to deliver by. */
export function isOld(
  { checkedMs }: Pick<Entry, 'checkedMs'>,
  { capability }: StockProvider,
  nowMs: number,
): boolean {
  return checkedMs + (capability.urlsLastForMs ?? choiceFreshForMs) <= nowMs;
}

/** The entry of a seed. */
function entryAt({ entries }: Choice, seed: string): Entry | undefined {
  return entries.length === 0 ? undefined : entries[placeOf(seed, entries.length)];
}

/** What delivering the images of a choice has shown of them. */
export interface Learnt {
  /** Images that are gone, by id. */
  readonly gone: Set<string>;
  /** What the provider says of others now. */
  readonly current: Map<string, Entry>;
}

/** Keeps a choice with what was learnt of its images, where it is kept at all. Never throws. */
export async function keepLearnt(
  services: StockServices,
  { provider, kept }: Chosen,
  request: StockRequest,
  { gone, current }: Learnt,
): Promise<void> {
  if (!kept || kept.version === '' || gone.size + current.size === 0) return;
  const entries = kept.value.entries.flatMap((entry) => {
    const { id } = entry.candidate;
    return gone.has(id) ? [] : (current.get(id) ?? entry);
  });
  const key = choiceKey(provider.name, request);
  await orLogged(services.telemetry, 'A choice was not kept', () =>
    keepChoice(services, key, { ...kept.value, entries }, kept),
  );
}

/** What a provider offers that the request allows, best first. */
function entriesOf(
  { capability }: StockProvider,
  { request: { filters, ...request }, subject }: Search,
  candidates: readonly Candidate[],
  checkedMs: number,
): readonly Entry[] {
  const wish: Wish = {
    subject,
    orientation: orientationOf(request),
    avoid: [...new Set([...(filters.avoid ?? []), ...subject.avoid])],
    ...(filters.color !== undefined && { color: filters.color }),
    isRankedByRelevance: capability.ranksByRelevance,
  };
  const allowed = candidates.filter(({ attribution }) => isAllowed(attribution.license, filters.license));
  return ranked(allowed, wish)
    .slice(0, entriesMax)
    .map((candidate) => ({ candidate, fit: fitOf(candidate, subject), checkedMs }));
}

/** What a provider is searched for: of the filters those that its search takes. */
function queryFor({ capability }: StockProvider, { request, subject }: Search): StockQuery {
  const { color, license } = request.filters;
  return {
    subject,
    orientation: orientationOf(request),
    ...(color !== undefined && capability.searchFilters.includes('color') && { color }),
    ...(license !== undefined && capability.searchFilters.includes('license') && { license }),
  };
}
