/** The client package and the service mean the same: parameters, sizes and identity of an image. */

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { fingerprintOf } from '../../../lambda/requests/image-request';
import { parseRequest, type RawRequest } from '../../../lambda/requests/parse-request';
import { imageUrl } from '../../../packages/client/src/image-url';
import { canonicalForm } from '../../../packages/client/src/signer';
import { spec } from '../../../packages/client/test/arbitrary-spec';
import { clientTypes, clientTypesPath } from '../../../tools/client-types';
import { imageRequest, pathForm, queryForm } from '../../requests/request-arbitrary';

const root = 'https://img.example.com';

function valuesOf(search: URLSearchParams): RawRequest['values'] {
  return Object.fromEntries([...search.keys()].map((name) => [name, search.getAll(name)]));
}

/** The URL of a request as the parser takes it apart. */
function urlOf({ segment, values }: RawRequest): string {
  const search = Object.entries(values).flatMap(([name, all = []]) =>
    all.map((value) => `${name}=${encodeURIComponent(value)}`),
  );
  return `${root}/api/image${segment === undefined ? '' : `/${segment}`}?${search.join('&')}`;
}

/** One with a dot segment is the URL of other words before it is signed or sent. */
const hasNoDotSegment = ({ segment = '' }: RawRequest) => !/(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i.test(segment);

describe('the client package', () => {
  it('knows of the service what its schemas say: after a change of these, run npx tsx tools/client-types.ts', () => {
    expect(readFileSync(clientTypesPath, 'utf8')).toBe(clientTypes());
  });

  it('builds no URL that the service refuses for its size or its words', () => {
    fc.assert(
      fc.property(spec, (given) => {
        const parsed = parseRequest({ values: valuesOf(new URL(imageUrl(root, given)).searchParams) });
        const faults =
          parsed.outcome === 'refused' && 'faults' in parsed.refusal ? parsed.refusal.faults : [];
        // Words are the page's own: control characters and white space alone are refused by the service.
        expect(faults.filter(({ parameter }) => parameter !== 'query' && parameter !== 'seed')).toEqual([]);
      }),
    );
  });

  it('signs the same text only for requests that are the same image', () => {
    const separator = fc.constantFrom('-', '_', '+', '/', '%20', '%2D', '%2B', '%2F');
    fc.assert(
      fc.property(imageRequest, imageRequest, separator, (one, other, between) => {
        const raws = [queryForm(one), pathForm(one, between), queryForm(other)].filter(hasNoDotSegment);
        for (const a of raws) {
          for (const b of raws) {
            if (canonicalForm(urlOf(a)) !== canonicalForm(urlOf(b))) continue;
            const [first, second] = [parseRequest(a), parseRequest(b)];
            if (first.outcome !== 'valid' || second.outcome !== 'valid')
              throw new Error('a valid request is refused');
            expect(fingerprintOf(first.request)).toBe(fingerprintOf(second.request));
          }
        }
      }),
    );
  });
});
