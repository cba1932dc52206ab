/** Pexels: free photos with a key, cropped by Pexels (https://www.pexels.com/api/documentation/). */

import type { Crop } from '../../contract/request-bounds';
import { coverScale } from '../../images/image';
import { hexOf, nearestColorName } from '../color';
import type { StockProvider } from '../stock-provider';
import { primaryLanguage, type Subject } from '../subject';
import { adapterOf, candidatesMax, type ProviderSettings, urlOf } from './core';
import { membersOf, objectAt } from './wire/fields';

/** Its image servers crop, and always in the middle. */
const croppedThere: readonly Crop[] = ['attention', 'faces', 'center'];
/** The languages that it searches in; the first locale of a language stands for all of its regions. */
const locales = (
  'en-US pt-BR es-ES ca-ES de-DE it-IT fr-FR sv-SE id-ID pl-PL ja-JP zh-CN zh-TW ko-KR th-TH nl-NL hu-HU vi-VN cs-CZ ' +
  'da-DK fi-FI uk-UA el-GR ro-RO nb-NO sk-SK tr-TR ru-RU'
).split(' ');

/** Its image servers crop. */
export function createPexels(settings: ProviderSettings): StockProvider {
  return adapterOf(
    {
      name: 'pexels',
      title: 'Pexels',
      baseUrl: 'https://api.pexels.com',
      // 200 an hour and 20,000 a month, which is 645 a day in the longest month.
      quota: { perHour: 200, perDay: 645 },
      capability: { ranksByRelevance: true, unmetLicenses: ['public-domain'] },
      identify: async (key) => ({ headers: { authorization: await key() } }),
      photosIn: (answer) => membersOf(answer, 'photos'),
      // pexels/pexels-javascript, `src/types.ts`.
      photoOf: ({ url, photographer, src, ...said }) => ({
        ...{ id: said['id'], width: said['width'], height: said['height'], alt: said['alt'] },
        sourceUrl: objectAt(src)['original'],
        creator: photographer,
        creatorUrl: said['photographer_url'],
        landingUrl: url,
        license: { id: 'pexels', name: 'Pexels License', url: 'https://www.pexels.com/license/' },
        lang: 'en',
        color: said['avg_color'],
      }),
      credit: (byCreator) => `Photo${byCreator} on Pexels`,

      search({ subject, orientation, color }, searchFor) {
        const parameters = {
          query: subject.cleaned,
          orientation,
          // At least four megapixels, which fill the largest size at less than twice their own.
          size: 'small',
          locale: localeOf(subject),
          per_page: String(candidatesMax),
          color: color === undefined ? undefined : colorOf(color),
        };
        return searchFor('/v1/search', parameters, subject);
      },

      photoAt: (id) => [`/v1/photos/${id}`],

      // These parameters are not documented, though Pexels uses them in every URL it hands out.
      sourceFor({ sourceUrl, widthPx = 0, heightPx = 0 }, size, crop) {
        const { origin, pathname } = new URL(sourceUrl);
        const placed = (w: number, h: number, more: Readonly<Record<string, string>> = {}) =>
          urlOf(origin, pathname, { auto: 'compress', cs: 'tinysrgb', ...more, w: `${w}`, h: `${h}` }).href;
        if (croppedThere.includes(crop) || widthPx === 0 || heightPx === 0)
          return { kind: 'hotlink', url: placed(size.widthPx, size.heightPx, { fit: 'crop' }) };
        // The whole image is fetched, no larger than needed, and cropped here.
        const scale = Math.min(1, coverScale({ widthPx, heightPx }, size));
        return { kind: 'fetch', url: placed(Math.ceil(widthPx * scale), Math.ceil(heightPx * scale)) };
      },
    },
    settings,
  );
}

function localeOf(subject: Subject): string | undefined {
  const ofLanguage = locales.filter((locale) => locale.startsWith(`${primaryLanguage(subject)}-`));
  return ofLanguage.find((locale) => locale.toLowerCase() === subject.lang) ?? ofLanguage[0];
}

/** A hexadecimal value with its sign, or a name as Pexels spells it. */
function colorOf(color: string): string {
  const named = nearestColorName(color);
  if (named !== color) return `#${hexOf(color)}`;
  return named === 'purple' ? 'violet' : named;
}
