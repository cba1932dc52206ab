/**
 * Converts JavaScript values to DynamoDB's attribute values and back, as AWS's document client does, for the types that
 * the tables hold: text, numbers, booleans, null, lists, maps, bytes and sets of text.
 */

/** `{ S: 'text' }`, `{ N: '1' }` and so on, as they stand in the JSON of a request. */
export type AttributeValue = Readonly<Record<string, unknown>>;
/** Attribute values by attribute name, as DynamoDB writes an item. */
export type AttributeMap = Readonly<Record<string, AttributeValue>>;

/**
 * Attribute values of an object's own values; those that are `undefined` are left out.
 * @throws `TypeError` for a value that the tables do not hold, such as a date, an empty set or an inexact number
 */
export function toAttributes(values: object): AttributeMap {
  const attributes: Record<string, AttributeValue> = {};
  for (const [name, value] of Object.entries(values))
    if (value !== undefined) attributes[name] = toAttribute(value);
  return attributes;
}

/** Bytes become a `Uint8Array`, a set a `Set`. @throws `TypeError` for a type that the tables do not hold */
export function fromAttributes(attributes: AttributeMap): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const name in attributes) values[name] = fromAttribute(attributes[name] as AttributeValue);
  return values;
}

function toAttribute(value: unknown): AttributeValue {
  switch (typeof value) {
    case 'string':
      return { S: value };
    case 'number':
      return { N: numeral(value) };
    case 'boolean':
      return { BOOL: value };
  }
  if (value === null) return { NULL: true };
  if (Array.isArray(value)) return { L: value.filter((entry) => entry !== undefined).map(toAttribute) };
  if (value instanceof Set) return { SS: texts([...value]) };
  if (value instanceof Uint8Array)
    return { B: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') };
  if (isPlain(value)) return { M: toAttributes(value) };
  throw new TypeError(`The tables hold no value of this type: ${Object.prototype.toString.call(value)}`);
}

function texts(values: readonly unknown[]): readonly unknown[] {
  if (values.length > 0 && values.every((value) => typeof value === 'string')) return values;
  throw new TypeError('A set in the tables holds at least one text, and nothing but texts');
}

function numeral(value: number): string {
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER)
    throw new TypeError(`DynamoDB would store another number than ${value}`);
  return String(value);
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // An object from another realm, as tests have them, has another prototype of the same kind.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function fromAttribute(attribute: AttributeValue): unknown {
  for (const type in attribute) {
    const value = attribute[type];
    switch (type) {
      case 'S':
      case 'BOOL':
        return value;
      case 'N':
        return Number(value);
      case 'M':
        return fromAttributes(value as AttributeMap);
      case 'L':
        return (value as AttributeValue[]).map(fromAttribute);
      case 'NULL':
        return null;
      case 'SS':
        return new Set(value as string[]);
      case 'B':
        return new Uint8Array(Buffer.from(value as string, 'base64'));
    }
  }
  throw new TypeError(`DynamoDB sent a value of an unknown type: ${Object.keys(attribute).join()}`);
}
