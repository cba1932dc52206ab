/** Pexels: free photos with a key, cropped by its own image servers (https://www.pexels.com/api/documentation/). */

import type { Crop } from '../../contract/request-bounds';
import { coverScale } from '../../images/image';
import { hexOf, nearestColorName } from '../color';
import type { StockProvider } from '../stock-provider';
import { connect, goneStatuses } from './core';
import { candidatesMax, type ProviderSettings, urlOf } from './provider-settings';
import type { Diagnosis, Reply } from './wire/fetch-json';
import { anyField, countField, fields, nameField, pageField, part, urlField } from './wire/fields';
import { pexelsLocale } from './wire/languages';
import { licenseOf } from './wire/licences';
import { withinCharacters } from './wire/query-words';
import { list, record } from './wire/read-json';

/** Schema: pexels/pexels-javascript, `src/types.ts`. */
const schema = part({
  ...fields(anyField, 'width', 'height', 'alt', 'avg_color'),
  ...fields(pageField, 'url', 'photographer_url'),
  ...{ id: countField, photographer: nameField, src: part({ original: urlField }) },
});

/** Its image servers crop. */
export function createPexels(settings: ProviderSettings): StockProvider {
  /** When the quota is reset, as the last good answer said: a refusal does not say it. */
  let resetsMs = 0;
  const { name, capability, request, candidatesOf } = connect(
    {
      name: 'pexels',
      baseUrl: 'https://api.pexels.com',
      hosts: ['images.pexels.com'],
      // 200 an hour and 20,000 a month, which is 645 a day in the longest month.
      quota: { perHour: 200, perDay: 645 },
      capability: { ranksByRelevance: true, searchFilters: ['color'], unmetLicenses: ['public-domain'] },
      headers: async (key) => ({ authorization: await key() }),
      diagnose({ status }: Reply): Diagnosis {
        const leftMs = resetsMs - settings.clock.nowMs();
        return status === 429
          ? { kind: 'throttled', retryAfterMs: leftMs > 0 ? leftMs : undefined }
          : undefined;
      },
      observe(headers) {
        resetsMs = Number(headers.get('x-ratelimit-reset') ?? 0) * 1_000;
      },
      schema,
      photoOf: ({ id, width, height, url, photographer: creator, src, alt, ...said }) => ({
        ...{ id: id?.toString(), width, height, sourceUrl: src.original, providerName: 'Pexels' },
        ...{ creator, creatorUrl: said.photographer_url, landingUrl: url, license: licenseOf.pexels },
        creditLine: creator === undefined ? 'Photo on Pexels' : `Photo by ${creator} on Pexels`,
        ...{ alt, lang: 'en', color: said.avg_color },
      }),
    },
    settings,
  );
  return {
    name,
    capability,

    async search({ subject, orientation, color }, signal) {
      const answer = await request(
        '/v1/search',
        {
          query: withinCharacters(subject.cleaned, 200),
          orientation,
          // At least four megapixels, which fill the largest size at less than twice their own.
          size: 'small',
          locale: pexelsLocale(subject),
          per_page: String(candidatesMax),
          color: color === undefined ? undefined : colorOf(color),
        },
        signal,
      );
      return candidatesOf(list(record(answer)['photos']), subject);
    },

    async byId(id, signal) {
      return candidatesOf([await request(`/v1/photos/${id}`, {}, signal, goneStatuses)])[0];
    },

    // These parameters are not documented, though Pexels uses them in every URL it hands out.
    sourceFor({ sourceUrl, widthPx = 0, heightPx = 0 }, size, position = 'attention') {
      const { origin, pathname } = new URL(sourceUrl);
      const placed = (w: number, h: number, more: Readonly<Record<string, string>> = {}) =>
        urlOf(origin, pathname, { auto: 'compress', cs: 'tinysrgb', ...more, w: `${w}`, h: `${h}` }).href;
      if (!isSide(position) || widthPx === 0 || heightPx === 0)
        return { kind: 'hotlink', url: placed(size.widthPx, size.heightPx, { fit: 'crop' }) };
      // Its servers crop in the middle, so the whole image is fetched, no larger than needed, and cropped here.
      const scale = Math.min(1, coverScale({ widthPx, heightPx }, size));
      return { kind: 'fetch', url: placed(Math.ceil(widthPx * scale), Math.ceil(heightPx * scale)) };
    },
  };
}

function isSide(position: Crop): boolean {
  return position !== 'attention' && position !== 'faces' && position !== 'center';
}

/** A hexadecimal value with its sign, or a name as Pexels spells it. */
function colorOf(color: string): string {
  const named = nearestColorName(color);
  if (named !== color) return `#${hexOf(color)}`;
  return named === 'purple' ? 'violet' : named;
}
