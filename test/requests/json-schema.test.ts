/** How zod’s schemas are written down for others. */

import * as z from 'zod/mini';
import { jsonSchemasOf, schemaOf } from '../../lambda/requests/json-schema';

it.each<[string, z.core.$ZodType, object]>([
  ['a choice of types', z.union([z.string(), z.number()]), { type: ['string', 'number'] }],
  ['a type or nothing', z.nullable(z.string()), { type: ['string', 'null'] }],
  [
    'one with bounds or nothing',
    z.nullable(z.string().check(z.minLength(2))),
    { type: ['string', 'null'], minLength: 2 },
  ],
  ['names or nothing', z.nullable(z.enum(['a', 'b'])), { type: ['string', 'null'], enum: ['a', 'b', null] }],
  ['one name or nothing', z.nullable(z.literal('a')), { type: ['string', 'null'], enum: ['a', null] }],
  [
    'two with bounds',
    z.union([z.string().check(z.minLength(2)), z.number().check(z.minimum(2))]),
    {
      anyOf: [
        { type: 'string', minLength: 2 },
        { type: 'number', minimum: 2 },
      ],
    },
  ],
  ['a format', z.email(), { type: 'string', format: 'email' }],
  ['a pattern', z.string().check(z.regex(/^a$/)), { type: 'string', pattern: '^a$' }],
])('%s is written in the fewest words', (_, schema, expected) =>
  expect(jsonSchemasOf({ It: schema })).toEqual({ It: expected }),
);

it('schemas refer to one another by name', () => {
  const Inner = z.object({ a: z.string() });
  const { Outer } = jsonSchemasOf({ Inner, Outer: z.object({ inner: Inner, any: z.nullable(Inner) }) });
  expect(Outer).toMatchObject({
    properties: {
      inner: { $ref: '#/components/schemas/Inner' },
      any: { anyOf: [{ $ref: '#/components/schemas/Inner' }, { type: 'null' }] },
    },
  });
});

it('a parameter has its bounds, and what its characters are', () => {
  expect(schemaOf('width')).toMatchObject({ type: 'integer', minimum: 100, maximum: 4_000 });
  expect(schemaOf('query')).toMatchObject({ type: 'string' });
});
