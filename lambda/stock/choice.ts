/**
 * `CHOICE#…`: up to 20 images of one provider for words, orientation, language and filters, in their order. A seed is a place
 * in it, whatever the size; a refresh keeps each entry that still exists in its place.
 */

import { pickKeptMs } from '../contract/providers';
import { orientationOf } from '../images/image';
import { identityOf, type StockRequest, sha256Hex } from '../requests/image-request';
import type { Choice, Entry } from './found';
import { readItemValue, replaceItem, type StoredItem } from './items';
import type { StockServices } from './stock-services';

/** Most images of a choice. */
export const entriesMax = 20;
const dayMs = 86_400_000;
/** How long a choice, and what its provider said of an image, is believed, in milliseconds. */
export const choiceFreshForMs = 30 * dayMs;

/** When the provider is searched again (epoch, milliseconds): soon, where nothing that it had fits the words. */
export function freshUntilMs({ entries, searchedMs }: Choice): number {
  const [best] = entries;
  return searchedMs + (best === undefined || best.fit === 'loose' ? dayMs : choiceFreshForMs);
}

/**
 * The choice after another search. An entry that was not found again may exist all the same: it is checked when it is next
 * asked for. The place of one that is gone is taken by the best that is new. A choice of loose images is made anew.
 * @param found what the search has found, best first
 * @param gone ids of images that the provider has no longer
 */
export function refreshed(
  before: Choice | undefined,
  found: readonly Entry[],
  gone: ReadonlySet<string>,
  nowMs: number,
): Choice {
  const isKept = before?.entries[0] !== undefined && before.entries[0].fit !== 'loose';
  const kept = isKept ? before.entries : [];
  const foundAgain = new Map(found.map((entry) => [entry.candidate.id, entry]));
  const ids = new Set(kept.map(({ candidate }) => candidate.id));
  const added = found.filter(({ candidate }) => !ids.has(candidate.id));
  const inPlace = kept.flatMap((entry) =>
    gone.has(entry.candidate.id) ? (added.shift() ?? []) : (foundAgain.get(entry.candidate.id) ?? entry),
  );
  return { entries: [...inPlace, ...added].slice(0, entriesMax), searchedMs: nowMs };
}

/** Key of the item of a choice. Never depends on the exact size. */
export function choiceKey(provider: string, request: StockRequest): string {
  const { avoid, color, license, lang } = request.filters;
  const identity = [identityOf(request.query), avoid ?? null, color ?? null, license ?? null, lang ?? null];
  return `CHOICE#${provider}#${orientationOf(request)}#${sha256Hex(JSON.stringify(identity))}`;
}

/** The choice that is kept. @throws when the table does not answer */
export function readChoice(services: StockServices, key: string): Promise<StoredItem<Choice> | undefined> {
  return readItemValue<Choice>(services, services.tables.images, key);
}

/**
 * Keeps a choice in place of the one that it was made from; another one that was kept meanwhile stays, and is returned.
 * @throws when the table does not answer
 */
export function keepChoice(
  services: StockServices,
  pk: string,
  value: Choice,
  before: StoredItem<Choice> | undefined,
): Promise<StoredItem<Choice>> {
  const { clock, ids, tables } = services;
  const endsMs = clock.nowMs() + pickKeptMs;
  return replaceItem(services, { TableName: tables.images, pk, value, endsMs }, ids.hex(8), before);
}
