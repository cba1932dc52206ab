/** Reads quota items: their numbers, and the operations of an item of reservations, one attribute each: `op#<ULID>`. */

import type { Item } from '../../aws/dynamodb/items';
import { isPrunable, type PendingOperation } from '../reservations';
import { pendingOperation } from './pending-entry';

const prefix = 'op#';

/** `P`ending, `C`ommitted, given back (`R`), `pruned` after one of the two, or `absent`: never reserved. */
export type EntryState = 'P' | 'C' | 'R' | 'pruned' | 'absent';

/** The state of one execution's entry; an id at or below the watermark that has none was pruned. */
export function entryOf(item: Item | undefined, execution: string): EntryState {
  const entry = item?.[prefix + execution];
  if (entry === 'C' || entry === 'R') return entry;
  if (entry !== undefined) return 'P';
  return watermarkIn(item) >= execution ? 'pruned' : 'absent';
}

/** The operations that are not settled. */
export function pendingIn(quotaKey: string, item: Item | undefined): readonly PendingOperation[] {
  return operationsIn(item).flatMap(([execution, entry]) => {
    if (typeof entry === 'string') return [];
    return [{ quotaKey, execution, ...pendingOperation(execution, entry) }];
  });
}

/**
 * At most this many entries are removed by one write, so that it stays a small one. The newest of them: the watermark
 * must rise with each removal, and entries that were settled late may all lie below it.
 */
const prunedAtOnceMax = 20;

/** The executions whose entries are settled and old enough to be removed, in ascending order. */
export function prunableIn(item: Item | undefined, nowMs: number): readonly string[] {
  return operationsIn(item)
    .filter(([execution, entry]) => typeof entry === 'string' && isPrunable(execution, nowMs))
    .map(([execution]) => execution)
    .sort()
    .slice(-prunedAtOnceMax);
}

/** The id at and below which the item refuses what it does not hold; empty where it refuses nothing. */
export function watermarkIn(item: Item | undefined): string {
  return String(item?.['wm'] ?? '');
}

/** The highest id of an operation that the item holds or has held. */
export function newestIn(item: Item): string {
  const ids = [watermarkIn(item), ...operationsIn(item).map(([execution]) => execution)];
  return ids.toSorted().at(-1) ?? '';
}

/** One of the item's numbers, which is absent until something was counted by it. */
export function numberIn(item: Item, name: string): number {
  return Number(item[name] ?? 0);
}

/** The condition that `numberIn` still reads `value`, which the write passes as `:<name>`. */
export function equals(name: 'begun' | 'granted' | 'returned', value: number): string {
  return value === 0 ? `(attribute_not_exists(${name}) OR ${name} = :${name})` : `${name} = :${name}`;
}

function operationsIn(item: Item | undefined): readonly (readonly [string, Uint8Array | string])[] {
  return Object.entries(item ?? {})
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, entry]) => [name.slice(prefix.length), entry as Uint8Array | string]);
}
