/** Values of the types that the tables hold are converted as AWS's own document client converts them, both ways. */

import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as fc from 'fast-check';
import { fromAttributes, toAttributes } from '../../../lambda/aws/dynamodb/attribute-values';
import { codePoint } from '../../fakes/code-point';

const number = fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.double({ noNaN: true, min: -1e15, max: 1e15 }));
// Within a larger buffer, as those that Node.js hands out.
const bytes = fc.uint8Array({ maxLength: 20 }).map((part) => new Uint8Array([1, ...part, 2]).subarray(1, -1));
const leaf = fc.oneof(
  fc.string({ unit: codePoint }),
  number,
  fc.boolean(),
  fc.constant(null),
  fc.constant(undefined),
  bytes,
  fc.uniqueArray(fc.string(), { minLength: 1 }).map((values) => new Set(values)),
);
// The document client takes an object with a field called `constructor` for one of a class.
const name = fc.string({ minLength: 1 }).filter((text) => text !== '__proto__' && text !== 'constructor');
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const item = fc.dictionary(name, value, { maxKeys: 6, noNullPrototype: true });

/** As the SDK's serializer writes it: bytes in base64. */
const overTheWire = (attributes: unknown): unknown =>
  JSON.parse(
    JSON.stringify(attributes, (_, part) =>
      part instanceof Uint8Array ? Buffer.from(part).toString('base64') : part,
    ),
  );

test('any item has the attribute values that the document client gives it', async () => {
  await fc.assert(
    fc.property(item, (values) => {
      const expected = overTheWire(marshall(values, { removeUndefinedValues: true }));
      expect(overTheWire(toAttributes(values))).toEqual(expected);
    }),
  );
});

test('any item is read back as the document client reads it', async () => {
  await fc.assert(
    fc.property(item, (values) => {
      const expected = unmarshall(marshall(values, { removeUndefinedValues: true }));
      expect(fromAttributes(toAttributes(values))).toEqual(expected);
    }),
  );
});

test.each<[string, unknown]>([
  ['no number', Number.NaN],
  ['an infinite number', Number.POSITIVE_INFINITY],
  ['a number that is not exact', 2 ** 53],
  ['an empty set', new Set()],
  ['a set of numbers', new Set([1])],
  ['a large integer', 1n],
  ['a date', new Date(0)],
])('%s is refused', (_, refused) => {
  expect(() => toAttributes({ refused })).toThrow(TypeError);
});
