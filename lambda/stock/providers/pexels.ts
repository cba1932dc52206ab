/** Pexels: free photos with a key, cropped by its own image servers (https://www.pexels.com/api/documentation/). */

import type { Crop } from '../../contract/request-bounds';
import { coverScale } from '../../images/image';
import { hexOf, nearestColorName } from '../color';
import type { StockProvider } from '../stock-provider';
import { candidatesMax, connect, type ProviderSettings, urlOf } from './core';
import { anyField, countField, fields, nameField, pageField, part, urlField } from './wire/fields';
import { pexelsLocale } from './wire/languages';
import { licenseOf } from './wire/licences';
import { withinCharacters } from './wire/narrow';

/** Schema: pexels/pexels-javascript, `src/types.ts`. */
const schema = part({
  ...fields(countField, 'id', 'width', 'height'),
  ...fields(anyField, 'alt', 'avg_color'),
  ...fields(pageField, 'url', 'photographer_url'),
  photographer: nameField,
  src: part({ original: urlField }),
});

/** Its image servers crop, and always in the middle. */
const croppedThere: readonly Crop[] = ['attention', 'faces', 'center'];

/** Its image servers crop. */
export function createPexels(settings: ProviderSettings): StockProvider {
  const { name, capability, photos, photo } = connect(
    {
      name: 'pexels',
      title: 'Pexels',
      baseUrl: 'https://api.pexels.com',
      hosts: ['images.pexels.com'],
      // 200 an hour and 20,000 a month, which is 645 a day in the longest month.
      quota: { perHour: 200, perDay: 645 },
      capability: { ranksByRelevance: true, searchFilters: ['color'], unmetLicenses: ['public-domain'] },
      headers: async (key) => ({ authorization: await key() }),
      photosAt: ['photos'],
      schema,
      photoOf: ({ id, url, photographer, photographer_url, src, avg_color, ...said }) => ({
        ...said,
        id: id?.toString(),
        sourceUrl: src.original,
        creator: photographer,
        creatorUrl: photographer_url,
        landingUrl: url,
        license: licenseOf.pexels,
        lang: 'en',
        color: avg_color,
      }),
      credit: (by) => `Photo${by} on Pexels`,
    },
    settings,
  );
  return {
    name,
    capability,

    search({ subject, orientation, color }, signal) {
      const parameters = {
        query: withinCharacters(subject.cleaned, 200),
        orientation,
        // At least four megapixels, which fill the largest size at less than twice their own.
        size: 'small',
        locale: pexelsLocale(subject),
        per_page: String(candidatesMax),
        color: color === undefined ? undefined : colorOf(color),
      };
      return photos('/v1/search', parameters, signal, subject);
    },

    byId: (id, signal) => photo(`/v1/photos/${id}`, {}, signal),

    // These parameters are not documented, though Pexels uses them in every URL it hands out.
    sourceFor({ sourceUrl, widthPx = 0, heightPx = 0 }, size, position = 'attention') {
      const { origin, pathname } = new URL(sourceUrl);
      const placed = (w: number, h: number, more: Readonly<Record<string, string>> = {}) =>
        urlOf(origin, pathname, { auto: 'compress', cs: 'tinysrgb', ...more, w: `${w}`, h: `${h}` }).href;
      if (croppedThere.includes(position) || widthPx === 0 || heightPx === 0)
        return { kind: 'hotlink', url: placed(size.widthPx, size.heightPx, { fit: 'crop' }) };
      // The whole image is fetched, no larger than needed, and cropped here.
      const scale = Math.min(1, coverScale({ widthPx, heightPx }, size));
      return { kind: 'fetch', url: placed(Math.ceil(widthPx * scale), Math.ceil(heightPx * scale)) };
    },
  };
}

/** A hexadecimal value with its sign, or a name as Pexels spells it. */
function colorOf(color: string): string {
  const named = nearestColorName(color);
  if (named !== color) return `#${hexOf(color)}`;
  return named === 'purple' ? 'violet' : named;
}
