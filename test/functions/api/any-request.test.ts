/** `getImage` of `image.ts`: whatever a request says gets an image or a refusal that callers can read. */

import fc from 'fast-check';
import { parameterNames } from '../../../lambda/contract/parameters';
import { problems } from '../../../lambda/problems/problem';
import { noImage, servedImage } from '../../fakes/values';
import { createImageService, imageTag } from './image-service';
import { liveContext } from './proxy-event';

const text = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom('\u0000', ...'lake 1 0 -1 1e3 800 ai stock_b json %00 __proto__'.split(' ')),
);
const headerNames =
  'Accept Authorization X-API-Key Origin Referer Host If-None-Match Range Sec-Fetch-Dest X-Forwarded-For'.split(
    ' ',
  );
const request = fc.record(
  {
    method: fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE'),
    query: fc.dictionary(
      fc.oneof(fc.constantFrom(...parameterNames, 'expires', 'sig', 'key', 'page', 'slot'), text),
      fc.array(text, { minLength: 1, maxLength: 3 }),
      { maxKeys: 6 },
    ),
    spec: text,
    imageId: text,
    headers: fc.dictionary(fc.constantFrom(...headerNames), text, { maxKeys: 4 }),
    context: fc.constantFrom(liveContext, { caller: 'anonymous' }),
    sourceIp: fc.oneof(fc.ipV4(), fc.ipV6(), text),
  },
  { requiredKeys: [] },
);

test('every request gets an image, a card or a problem with a known code', async () => {
  const { ask, stock } = createImageService();
  await fc.assert(
    fc.asyncProperty(request, fc.boolean(), fc.boolean(), async (options, isTag, isFound) => {
      stock.setSearchResult(isFound ? { outcome: 'served', image: servedImage, cache: 'MISS' } : noImage);
      const headers = { ...options.headers, ...(isTag && imageTag) };
      const { status, headers: answered, json } = await ask({ ...options, headers });
      const type = String(answered['Content-Type'] ?? '');
      if (status < 400) return;
      expect(status).toBeLessThan(500);
      if (type.startsWith('image/svg+xml') || options.method === 'HEAD') return;
      expect(type).toBe('application/problem+json');
      expect(problems).toHaveProperty(String(json['code']));
      expect(json).toMatchObject({ status, detail: expect.stringMatching(/\S/) });
    }),
  );
});
