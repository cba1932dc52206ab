/** Pexels: free photos with a key, cropped by its own image servers (https://www.pexels.com/api/documentation/). */

import { type Candidate, canFill } from '../../domain/image/image';
import type { StockProvider } from '../../ports/stock-provider';
import {
  candidatesMax,
  keptFor,
  keyOf,
  type ProviderSettings,
  urlOf,
  userAgentOf,
} from './provider-settings';
import { type Diagnosis, fetchJson, type Reply } from './wire/fetch-json';
import { pexelsLicense } from './wire/licences';
import { withinCharacters } from './wire/query-words';
import { list, nameText, positive, present, record } from './wire/read-json';
import { hostsFor, imageUrl, pageUrl } from './wire/urls';

const name = 'pexels';
const queryCharactersMax = 200;

export function createPexels(settings: ProviderSettings): StockProvider {
  const { baseUrl = 'https://api.pexels.com', clock } = settings;
  /** When the quota begins anew, as the last good answer said: a refusal does not say it. */
  let resetsMs = 0;

  const diagnose = ({ status }: Reply): Diagnosis => {
    if (status !== 429) return undefined;
    const leftMs = resetsMs - clock.nowMs();
    return { kind: 'throttled', retryAfterMs: leftMs > 0 ? leftMs : undefined };
  };

  return {
    name,
    capability: {
      resize: 'exact',
      pageSizeMax: 80,
      queryCharactersMax,
      safeSearch: false,
      hotlink: 'allowed',
      usageTracking: false,
      allowedHosts: hostsFor(baseUrl, ['images.pexels.com']),
      ...keptFor,
      // 200 an hour and 20,000 a month, which is 645 a day in the longest month.
      quota: settings.quota ?? { perHour: 200, perDay: 645 },
    },

    async search(query, signal) {
      const url = urlOf(baseUrl, '/v1/search', {
        query: withinCharacters(query.words, queryCharactersMax),
        orientation: query.orientation,
        // At least four megapixels, which fill the largest size at less than twice their own.
        size: 'small',
        per_page: String(candidatesMax),
      });
      const headers = { authorization: await keyOf(name, settings), 'user-agent': userAgentOf(settings) };
      const answer = await fetchJson({
        provider: name,
        url,
        headers,
        signal,
        diagnose,
        observe: (seen) => {
          resetsMs = Number(seen.get('x-ratelimit-reset') ?? 0) * 1_000;
        },
      });
      return list(record(answer)['photos']).flatMap(candidateOf);
    },

    // These parameters are not documented, though Pexels uses them in every URL it hands out.
    sourceFor(candidate, size) {
      if (!canFill(candidate, size)) return undefined;
      const { origin, pathname } = new URL(candidate.sourceUrl);
      const crop = {
        auto: 'compress',
        cs: 'tinysrgb',
        fit: 'crop',
        w: `${size.widthPx}`,
        h: `${size.heightPx}`,
      };
      return { kind: 'hotlink', url: urlOf(origin, pathname, crop).href };
    },
  };
}

/** Schema: pexels/pexels-javascript, `src/types.ts`. */
function candidateOf(photo: unknown): Candidate[] {
  const item = record(photo);
  const id = positive(item['id']);
  const sourceUrl = imageUrl(record(item, 'src')['original']);
  if (id === undefined || sourceUrl === undefined) return [];
  const creator = nameText(item['photographer']);
  return [
    present({
      id: String(id),
      widthPx: positive(item['width']),
      heightPx: positive(item['height']),
      sourceUrl,
      attribution: present({
        providerName: 'Pexels',
        creator,
        creatorUrl: pageUrl(item['photographer_url']),
        landingUrl: pageUrl(item['url']),
        license: pexelsLicense,
        creditLine: creator === undefined ? 'Photo on Pexels' : `Photo by ${creator} on Pexels`,
      }),
    }),
  ];
}
