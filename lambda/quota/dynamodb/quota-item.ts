/** The items of the quota table: their numbers, their expiry, and the operations of an item of reservations, one attribute each. */

import type { Item } from '../../aws/dynamodb';
import type { Telemetry } from '../../base/telemetry';
import { timeOfUlid } from '../../base/ulid';
import type { Limit } from '../quota';
import { imageCost, isPrunable, type PendingOperation } from '../reservations';

const prefix = 'op#';

/** `P`ending, `C`ommitted, given back (`R`), `pruned` after one of the two, or `absent`: never reserved. */
type EntryState = 'P' | 'C' | 'R' | 'pruned' | 'absent';

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

const idBytes = 16;
const freeBit = 0x80_00_00;
/** Some two hours; a hint that says "not later" is cut to it. */
const dueAfterMsMax = freeBit - 1;

/**
 * Bytes 0 to 15: the image id. Bytes 16 to 18: milliseconds from the execution's own time to the moment when it is due;
 * their highest bit is set for an operation that costs nothing.
 */
export function pendingEntry({
  execution,
  imageId,
  cost,
  dueMs,
}: Pick<PendingOperation, 'execution' | 'imageId' | 'cost' | 'dueMs'>): Uint8Array {
  const entry = Buffer.alloc(idBytes + 3);
  if (entry.write(imageId, 'hex') !== idBytes) throw new RangeError('An image id has 32 hexadecimal digits');
  const dueAfterMs = Math.min(dueAfterMsMax, Math.max(0, dueMs - timeOfUlid(execution)));
  entry.writeUIntBE(dueAfterMs | (cost === 0 ? freeBit : 0), idBytes, 3);
  return new Uint8Array(entry);
}

/** The operation that `pendingEntry` has written, without its item's key. */
function pendingOperation(
  execution: string,
  entry: Uint8Array,
): Pick<PendingOperation, 'imageId' | 'cost' | 'dueMs'> {
  const bytes = Buffer.from(entry);
  const rest = bytes.readUIntBE(idBytes, 3);
  return {
    imageId: bytes.toString('hex', 0, idBytes),
    cost: (rest & freeBit) === 0 ? imageCost : 0,
    dueMs: timeOfUlid(execution) + (rest & dueAfterMsMax),
  };
}

/** How long a counter outlives its window, in seconds: late settlements and the sweeper still find it. */
const keptForS = { ip: 3_600, 'fair-use': 2 * 86_400, test: 2 * 86_400, live: 35 * 86_400 } as const;

/** When DynamoDB may delete a counter, in epoch seconds, as its time to live takes them. */
export function counterExpiryS({ counter, window }: Limit): number {
  return Math.ceil(window.endMs / 1_000) + keptForS[counter.kind === 'account' ? counter.mode : counter.kind];
}

/**
 * Checks `0 ≤ taken = held − heldFree + spent + granted − returned` in the attributes that a write returned: a broken
 * balance raises an alarm at once. A counter that grants units holds the last two; reservations hold `held`, and
 * `heldFree`, the places among them that cost nothing. Reports, never throws.
 */
export function checkQuotaItem(attributes: Readonly<Record<string, unknown>>, telemetry: Telemetry): void {
  const { taken, spent, held = 0, heldFree = 0, granted = 0, returned = 0 } = attributes as Sums;
  if (taken === undefined || spent === undefined) return;
  const isSound = heldFree >= 0 && held >= heldFree && spent >= 0 && returned >= 0 && granted >= returned;
  if (isSound && taken === held - heldFree + spent + granted - returned) return;
  telemetry.count('invariantBroken', { invariant: 'taken-is-held-plus-spent' });
  telemetry.error('A quota item does not balance', undefined, {
    taken,
    held,
    heldFree,
    spent,
    granted,
    returned,
  });
}

/** The numbers of a quota item; each is absent until something was counted by it. */
interface Sums {
  readonly taken?: number;
  readonly spent?: number;
  readonly held?: number;
  readonly heldFree?: number;
  readonly granted?: number;
  readonly returned?: number;
}
