/** The form of a pending operation in a quota item: 19 bytes beside its name of 29. */

import { timeOfUlid } from '../../base/ulid';
import { imageCost, type PendingOperation } from '../reservations';

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

export function pendingOperation(
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
