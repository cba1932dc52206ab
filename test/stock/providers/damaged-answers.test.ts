/** Damaged replies to all adapters. */

import fc from 'fast-check';
import { parseUrl } from '../../../lambda/base/parse';
import { ProviderFailure } from '../../../lambda/stock/stock-provider';
import { parseSubject } from '../../../lambda/stock/subject';
import { startScriptedProvider } from './scripted-provider';

/** Replaces the nth value of a document. */
function damageValue(document: unknown, nth: number, value: unknown): unknown {
  let at = 0;
  return JSON.parse(JSON.stringify(document, (_, member) => (at++ === nth ? value : member)) ?? 'null');
}

/** Any JSON, or an object without a text form. */
const anyDamage = fc.oneof(fc.jsonValue(), fc.constant({ toString: 0 }));

test.each(['openverse', 'pexels', 'pixabay', 'unsplash', 'wikimedia'] as const)(
  'a damaged reply of %s gives valid candidates or a failure of the provider',
  async (name) => {
    const { search } = require(`./answers/${name}.json`);
    let values = 0;
    JSON.stringify(search, (_, member) => {
      values += 1;
      return member;
    });
    const scripted = await startScriptedProvider(name);
    const lake = { subject: parseSubject('lake'), orientation: 'landscape' } as const;
    try {
      await fc.assert(
        fc.asyncProperty(fc.nat(values), anyDamage, async (nth, value) => {
          scripted.answer({ body: damageValue(search, nth, value) });
          const candidates = await scripted.provider
            .search(lake, new AbortController().signal, async () => true)
            .catch((error) => {
              if (!(error instanceof ProviderFailure)) throw error;
              return [];
            });
          for (const { widthPx, heightPx, sourceUrl, attribution } of candidates) {
            for (const sidePx of [widthPx, heightPx])
              if (sidePx !== undefined) expect(sidePx).toBeGreaterThan(0);
            for (const url of [sourceUrl, attribution.landingUrl ?? sourceUrl])
              expect(parseUrl(url)).toBeDefined();
            expect(attribution.creditLine).not.toMatch(/\p{Cc}/u);
          }
        }),
        { numRuns: 60 },
      );
    } finally {
      await scripted.server.stop();
    }
  },
);
