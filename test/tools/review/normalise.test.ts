/** The text of a template that is committed contains no value that changes by itself. */

import { parse } from 'yaml';
import { normalise } from '../../../tools/review/review-template';

test('hashes of code are masked, logical ids and properties stay', () => {
  const hash = 'a'.repeat(64);
  const text = normalise({
    Resources: {
      Beta: {
        Type: 'T',
        Properties: { Code: { S3Key: `${hash}.zip` } },
        Metadata: { 'aws:asset:path': 'x' },
      },
      Alpha: { Type: 'U', Properties: { Ref: { Ref: `FnCurrentVersionABCDEF01${'0'.repeat(32)}` } } },
    },
  });
  expect(parse(text)).toEqual({
    Resources: {
      Alpha: { Type: 'U', Properties: { Ref: { Ref: 'FnCurrentVersion' } } },
      Beta: { Type: 'T', Properties: { Code: { S3Key: '(code).zip' } } },
    },
  });
});

test('resources are sorted by logical id', () => {
  const make = (ids: string[]) =>
    normalise({ Resources: Object.fromEntries(ids.map((id) => [id, { Type: 'T' }])) });
  expect(make(['B', 'A', 'C'])).toBe(make(['C', 'B', 'A']));
});
