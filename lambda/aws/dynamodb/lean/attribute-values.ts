/** Converts JavaScript values to DynamoDB's attribute values and back, as AWS's document client does. */

/** `{ S: 'text' }`, `{ N: '1' }` and so on, as they stand in the JSON of a request. */
export type AttributeValue = Readonly<Record<string, unknown>>;
export type AttributeMap = Readonly<Record<string, AttributeValue>>;

/**
 * Attribute values of an object's own values; those that are `undefined` are left out.
 * @throws `TypeError` for a value that DynamoDB cannot hold
 */
export function toAttributes(values: object): AttributeMap {
  const attributes: Record<string, AttributeValue> = {};
  for (const [name, value] of Object.entries(values))
    if (value !== undefined) attributes[name] = toAttribute(value);
  return attributes;
}

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
    case 'bigint':
      return { N: String(value) };
    case 'boolean':
      return { BOOL: value };
  }
  if (value === null) return { NULL: true };
  if (Array.isArray(value)) return { L: value.filter((entry) => entry !== undefined).map(toAttribute) };
  if (value instanceof Set) return toSet([...value].filter((entry) => entry !== undefined));
  if (value instanceof Uint8Array) return { B: base64(value) };
  if (isPlain(value)) return { M: toAttributes(value) };
  throw new TypeError(`DynamoDB cannot hold a value of this type: ${Object.prototype.toString.call(value)}`);
}

function toSet(values: readonly unknown[]): AttributeValue {
  const [first] = values;
  if (values.every((value) => typeof value === 'string') && values.length > 0) return { SS: values };
  if (typeof first === 'number' || typeof first === 'bigint')
    return { NS: values.map((value) => (typeof value === 'bigint' ? String(value) : numeral(value))) };
  if (values.every((value) => value instanceof Uint8Array) && values.length > 0)
    return { BS: values.map(base64) };
  throw new TypeError('A set in DynamoDB holds at least one value, and values of one type');
}

/** @throws `TypeError` for what would be stored as another number than it is */
function numeral(value: unknown): string {
  if (typeof value !== 'number' || !Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER)
    throw new TypeError(`DynamoDB cannot hold this number: ${String(value)}`);
  return String(value);
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // An object from another realm, as tests have them, has another prototype of the same kind.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function base64(bytes: unknown): string {
  const { buffer, byteOffset, byteLength } = bytes as Uint8Array;
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

function fromAttribute(attribute: AttributeValue): unknown {
  for (const type in attribute) {
    const value = attribute[type];
    switch (type) {
      case 'S':
      case 'BOOL':
        return value;
      case 'N':
        return toNumber(value as string);
      case 'M':
        return fromAttributes(value as AttributeMap);
      case 'L':
        return (value as AttributeValue[]).map(fromAttribute);
      case 'NULL':
        return null;
      case 'SS':
        return new Set(value as string[]);
      case 'NS':
        return new Set((value as string[]).map(toNumber));
      case 'B':
        return toBytes(value as string);
      case 'BS':
        return new Set((value as string[]).map(toBytes));
    }
  }
  throw new TypeError(`DynamoDB sent a value of an unknown type: ${Object.keys(attribute).join()}`);
}

/** Large whole numbers stay exact. */
function toNumber(numeral: string): number | bigint {
  const number = Number(numeral);
  return Math.abs(number) > Number.MAX_SAFE_INTEGER ? BigInt(numeral) : number;
}

function toBytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'));
}
