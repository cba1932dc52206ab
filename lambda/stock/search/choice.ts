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
import { countWork } from '../../quota/charge';
import { comparableWords, filterTexts, type StockRequest } from '../../requests/image-request';
import { askProvider } from '../ask-provider';
import { readItemValue, replaceItem, type StoredItem } from '../items';
import type { StockProvider, StockQuery } from '../stock-provider';
import type { StockServices } from '../stock-services';
import { fitOf, isAllowed, rankCandidates } from './rank';
import {
  type Choice,
  type ProviderResult,
  requestsLeft,
  type SearchRequest,
  type SearchState,
} from './search';

/** Time for which a choice and its provider's description of an image are valid, in milliseconds. */
export const choiceFreshForMs = 30 * dayMs;

/** The outcome of searching the provider of a slot. */
export interface SlotResult extends ProviderResult {
  readonly slot: StockSlot;
  readonly provider: StockProvider;
}

/** Returns when a choice is searched again (epoch, ms): after a day where its best image is loose. */
export function freshUntilMs({ entries, searchedMs }: Choice): number {
  return searchedMs + ((entries[0]?.fit ?? 'loose') === 'loose' ? dayMs : choiceFreshForMs);
}

/** Takes the kept choice of a slot, or searches its provider. Never throws: an error is a failed step. */
export async function searchSlot(
  services: StockServices,
  search: SearchRequest,
  slot: StockSlot,
  provider: StockProvider,
  before: SearchState,
): Promise<SlotResult> {
  try {
    const searching = provider.isOwn ? searchOwn : keptOrSearched;
    return { slot, provider, ...(await searching(services, provider, search, before)) };
  } catch (error) {
    services.telemetry.error('A choice was not made', error, { provider: provider.name });
    return { slot, provider, requests: 0, failure: { isOutage: isOutage(error) } };
  }
}

/** Searches the operator's photographs, whose index is in memory: no choice is kept of them. */
async function searchOwn(
  services: StockServices,
  provider: StockProvider,
  search: SearchRequest,
): Promise<ProviderResult> {
  const candidates = await provider.search(
    queryFor(search),
    signalWithin(services, providerAttemptTimeoutMs),
  );
  const value = choiceOf(services, provider, search, candidates, undefined);
  return { requests: 0, kept: { value, version: '' } };
}

/** The kept choice while it is fresh, or else a search that concurrent requests of a caller share. */
async function keptOrSearched(
  services: StockServices,
  provider: StockProvider,
  search: SearchRequest,
  before: SearchState,
): Promise<ProviderResult> {
  const { request, caller } = search;
  const key = choiceKey(services, provider, request);
  const storedChoice = await readItemValue<Choice>(services, services.tables.images, key);
  if (storedChoice && freshUntilMs(storedChoice.value) > services.clock.nowMs())
    return { requests: 0, kept: storedChoice };
  // By caller: the limits that end the search of one may not end that of another.
  const { result, leads } = shareWork(services.stockMemory.searching, `${key} ${caller.owner}`, () =>
    searchAnew(services, provider, search, before, storedChoice),
  );
  if (leads) return result;
  // The request that began the search has sent and counted it; those that share it count nothing.
  const { searchWork: _, ...shared } = await result;
  return { ...shared, requests: 0 };
}

/** Searches, and keeps the choice. Where that fails or is refused, an older choice stands in. */
async function searchAnew(
  services: StockServices,
  provider: StockProvider,
  search: SearchRequest,
  state: SearchState,
  before: StoredItem<Choice> | undefined,
): Promise<ProviderResult> {
  const { caller, request } = search;
  const older = before && { kept: before };
  const searchWork =
    state.searchWork === 'due'
      ? ((await countWork(services, caller.workLimits, caller.id)) ?? 'taken')
      : state.searchWork;
  if (typeof searchWork === 'object') return { requests: 0, searchWork, ...older };
  const asking = { asker: caller.asker, requestsMax: requestsLeft(state), id: caller.id };
  const reply = await askProvider(services, provider, asking, (signal, takeRequest) =>
    provider.search(queryFor(search), signal, takeRequest),
  );
  const { requests } = reply;
  if (reply.outcome === 'failed')
    return { requests, searchWork, failure: { retryMs: reply.retryMs }, ...older };
  // A provider that refuses these very words has no image for them.
  const candidates = reply.outcome === 'answered' ? reply.content : [];
  const value = choiceOf(services, provider, search, candidates, before?.value);
  return { requests, searchWork, kept: await keepChoice(services, provider, request, value, before) };
}

/** The choice after a search. What was not found again stays, and is checked when it is asked for. */
function choiceOf(
  { clock }: StockServices,
  { capability }: StockProvider,
  { request, subject }: SearchRequest,
  candidates: readonly Candidate[],
  before: Choice | undefined,
): Choice {
  const { avoid = [], color, license } = request.filters;
  const nowMs = clock.nowMs();
  const allowed = candidates.filter(({ attribution }) => isAllowed(attribution.license, license));
  const ranked: readonly ChoiceEntry[] = rankCandidates(allowed, {
    subject,
    orientation: orientationOf(request),
    avoid: [...avoid, ...subject.avoid],
    color,
    isRankedByRelevance: capability.ranksByRelevance,
  }).map((candidate) => ({ candidate, fit: fitOf(candidate, subject), checkedMs: nowMs }));
  const again = new Map(ranked.map((entry) => [entry.candidate.id, entry]));
  const settled = before && before.entries[0]?.fit !== 'loose' ? before.entries : [];
  const ids = new Set(settled.map(({ candidate }) => candidate.id));
  const entries = [
    ...settled.map((entry) => again.get(entry.candidate.id) ?? entry),
    ...ranked.filter(({ candidate }) => !ids.has(candidate.id)),
  ];
  return { entries: entries.slice(0, choiceImagesMax), settled: settled.length, searchedMs: nowMs };
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
 * Keeps a choice in place of the one that it was made from, unless another was kept meanwhile. Never throws.
 * @returns the kept choice; with the version '' where the table did not answer
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
  const item = { TableName: tables.images, pk, value, endsMs: clock.nowMs() + pickTtlMs };
  const keeping = () => replaceItem(services, item, ids.hex(8), before);
  return (await orLogged(telemetry, 'A choice was not kept', keeping)) ?? { value, version: '' };
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
