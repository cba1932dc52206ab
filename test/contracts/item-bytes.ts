/** The size of an item as DynamoDB bills it: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html */

/** Bytes of an item's names and values. */
export function bytesOf(item: Readonly<Record<string, unknown>>): number {
  return Object.entries(item).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value),
    0,
  );
}

/** Write units of one update of an item. */
export function writeUnitsOf(item: Readonly<Record<string, unknown>>): number {
  return Math.ceil(bytesOf(item) / 1_024);
}

function valueBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number')
    return 1 + Math.ceil(String(Math.abs(value)).replace(/^0\.|0+$/g, '').length / 2);
  if (value instanceof Uint8Array) return value.byteLength;
  if (value instanceof Set) return [...value].reduce<number>((sum, one) => sum + valueBytes(one), 0);
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + 1 + valueBytes(one), 3);
  if (typeof value === 'object' && value !== null)
    return 3 + Object.keys(value).length + bytesOf(value as Readonly<Record<string, unknown>>);
  return 1;
}
