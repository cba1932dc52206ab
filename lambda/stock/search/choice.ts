/**
 * The choice, `CHOICE#…`: images of one provider for words, orientation, language and filters, best first.
 * A seed is a place in it, whatever the size. A refresh keeps each image that still exists in its place,
 * unless even the best is loose: such a choice is made anew.
 */

import { shareWork } from '../../base/concurrency';
import { signalWithin } from '../../base/deadline';
import { sha256Hex } from '../../base/hash';
import { isOutage } from '../../base/outage';
import { orLogged } from '../../base/telemetry';
import { dayMs } from '../../base/window';
import { pickTtlMs, type StockSlot } from '../../contract/providers';
import { choiceImagesMax } from '../../contract/request-bounds';
import { providerAttemptTimeoutMs } from '../../contract/timeouts';
import { type Candidate, orientationOf } from '../../images/image';
import type { ChoiceEntry } from '../../images/picked-images';
import type { Refusal } from '../../problems/problem';
import { comparableWords, filterTexts, type StockRequest } from '../../requests/image-request';
import { askProvider } from '../ask-provider';
import { readItemValue, replaceItem } from '../items';
import type { StockProvider, StockQuery } from '../stock-provider';
import type { StockServices } from '../stock-services';
import { fitOf, isAllowed, rankCandidates } from './rank';
import type { Choice, FoundChoice, ProviderResult, SearchRequest, SlotChoice } from './search';

/** Time for which a choice and its provider's description of an image are valid, in milliseconds. */
export const choiceTtlMs = 30 * dayMs;

/** The outcome of searching a slot: a choice, which may be an earlier one, or the reason that there is none. */
export type SlotSearch =
  | ({ readonly outcome: 'found' } & SlotChoice)
  /** The caller's work is used up. */
  | { readonly outcome: 'refused'; readonly refusal: Refusal }
  | { readonly outcome: 'failed' };

/** Returns when a choice is searched again (epoch, ms): after a day where its best image is loose. */
export function freshUntilMs({ entries, searchedMs }: Choice): number {
  return searchedMs + ((entries[0]?.fit ?? 'loose') === 'loose' ? dayMs : choiceTtlMs);
}

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
  // By caller: the limits that end the search of one may not end that of another.
  const { result, leads } = shareWork(stockMemory.searching, `${key} ${search.caller.owner}`, () =>
    searchProvider(services, search, provider, stored),
  );
  if (leads) return result;
  // The request that began the search has sent and counted it; those that share it count nothing.
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
  const asking = { asker: caller.asker, requestsMax: progress.requestsLeft, id: caller.id };
  const reply = await askProvider(services, provider, asking, (signal, takeRequest) =>
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

/** The entries of a choice for the candidates of a search whose licence is allowed, best first. */
function entriesOf(
  { request, subject }: SearchRequest,
  { capability }: StockProvider,
  candidates: readonly Candidate[],
  nowMs: number,
): readonly ChoiceEntry[] {
  const { avoid = [], color, license } = request.filters;
  const allowed = candidates.filter(({ attribution }) => isAllowed(attribution.license, license));
  return rankCandidates(allowed, {
    subject,
    orientation: orientationOf(request),
    avoid: [...avoid, ...subject.avoid],
    color,
    isRankedByRelevance: capability.ranksByRelevance,
  }).map((candidate) => ({ candidate, fit: fitOf(candidate, subject), checkedMs: nowMs }));
}

/** The choice after a search. What was not found again stays, and is checked when it is asked for. */
function choiceAfterSearch(
  older: Choice | undefined,
  foundEntries: readonly ChoiceEntry[],
  searchedMs: number,
): Choice {
  const settledEntries = older && older.entries[0]?.fit !== 'loose' ? older.entries : [];
  const settledIds = new Set(settledEntries.map(({ candidate }) => candidate.id));
  const foundById = new Map(foundEntries.map((entry) => [entry.candidate.id, entry]));
  const entries = [
    ...settledEntries.map((entry) => foundById.get(entry.candidate.id) ?? entry),
    ...foundEntries.filter(({ candidate }) => !settledIds.has(candidate.id)),
  ];
  return { entries: entries.slice(0, choiceImagesMax), settled: settledEntries.length, searchedMs };
}

/** Takes an image out of a choice. The best new one takes its place, so that the others keep theirs. */
export function withoutEntry(choice: Choice, entry: ChoiceEntry): Choice {
  const { entries, settled } = choice;
  const place = entries.indexOf(entry);
  const bestNew = entries[settled];
  if (place >= settled) return { ...choice, entries: entries.toSpliced(place, 1) };
  if (!bestNew) return { ...choice, entries: entries.toSpliced(place, 1), settled: settled - 1 };
  return { ...choice, entries: entries.toSpliced(settled, 1).with(place, bestNew) };
}

/**
 * Stores a choice in place of the version that it was made from, unless another was stored meanwhile. Never
 * throws.
 * @returns the stored choice; without a version where the table does not answer
 */
export async function storeChoice(
  services: StockServices,
  provider: StockProvider,
  request: StockRequest,
  { choice, version }: FoundChoice,
): Promise<FoundChoice> {
  const { clock, ids, tables, telemetry } = services;
  const pk = choiceKey(services, provider, request);
  const item = { TableName: tables.images, pk, value: choice, endsMs: clock.nowMs() + pickTtlMs };
  const replace = () => replaceItem(services, item, ids.hex(8), version);
  const stored = await orLogged(telemetry, 'A choice was not stored', replace);
  return stored ? { choice: stored.value, version: stored.version } : { choice };
}

/** Key of the item of a choice. It depends on every filter that decides what is found, not on the size. */
function choiceKey({ stockSettings }: StockServices, { name }: StockProvider, request: StockRequest): string {
  // `crop` and `onmiss` do not decide which images there are.
  const { crop: _crop, onmiss: _onmiss, ...deciding } = request.filters;
  // A fake provider's images are at its own address.
  const identity = [comparableWords(request.query), ...filterTexts(deciding), stockSettings.endpoints[name]];
  return `CHOICE#${name}#${orientationOf(request)}#${sha256Hex(JSON.stringify(identity))}`;
}

function queryFor({ request, subject }: SearchRequest): StockQuery {
  const { color, license } = request.filters;
  return { subject, orientation: orientationOf(request), color, license };
}
