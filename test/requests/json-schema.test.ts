/** Schemas of zod are written as JSON Schemas. */

import * as z from 'zod/mini';
import { writeJsonSchemas } from '../../lambda/requests/json-schema';

test('a schema has no pattern beside a format', () =>
  expect(writeJsonSchemas({ Mail: z.email(), Text: z.string().check(z.regex(/^a$/)) })).toEqual({
    Mail: { type: 'string', format: 'email' },
    Text: { type: 'string', pattern: '^a$' },
  }));

test('schemas refer to one another by name', () => {
  const Inner = z.object({ a: z.string() });
  const { Outer } = writeJsonSchemas({ Inner, Outer: z.object({ inner: Inner }) });
  expect(Outer).toMatchObject({ properties: { inner: { $ref: '#/components/schemas/Inner' } } });
});
