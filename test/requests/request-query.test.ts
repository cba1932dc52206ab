/** A request is written as the parameters of a URL, without those that have their default. */

import fc from 'fast-check';
import { stockDefaults } from '../../lambda/requests/image-request';
import { writeRequestQuery } from '../../lambda/requests/request-query';
import { aiRequest } from '../fakes/values';
import { parseAtSize } from './raw-request';
import { imageRequest } from './request-arbitrary';

const size = { widthPx: 800, heightPx: 600 };

test('a request that is written as a query is read as the same request', () => {
  fc.assert(
    fc.property(imageRequest, (request) =>
      expect(parseAtSize(`/api/image?${writeRequestQuery(request)}`)).toEqual({ ...request, asJson: false }),
    ),
  );
});

test.each([
  [
    'reserved characters',
    { ...stockDefaults, ...size, query: 'day & night' },
    'query=day%20%26%20night&width=800&height=600',
  ],
  [
    'another format',
    { ...stockDefaults, ...size, query: 'sea', asJson: true } as const,
    'query=sea&width=800&height=600',
  ],
  ['a pick', { ...stockDefaults, ...size, pick: 'p1' }, 'width=800&height=600&pick=p1'],
  [
    'filters',
    { ...stockDefaults, ...size, query: 'sea', filters: { avoid: ['people', 'text'], crop: 'top' } } as const,
    'query=sea&width=800&height=600&avoid=people%2Ctext&crop=top',
  ],
  [
    'a variation',
    { ...aiRequest, ...size, query: 'sea', variation: 2 },
    'query=sea&provider=ai&width=800&height=600&variation=2',
  ],
])('a request with %s is written as a query', (_, request, query) => {
  expect(writeRequestQuery(request)).toBe(query);
});
