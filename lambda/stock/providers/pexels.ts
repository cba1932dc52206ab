/** Pexels: free photos with a key, cropped by its own image servers (https://www.pexels.com/api/documentation/). */

import type { Crop } from '../../contract/request-bounds';
import { type Candidate, coverScale } from '../../images/image';
import { hexOf, nearestColorName } from '../color';
import type { StockProvider } from '../stock-provider';
import { primaryLanguage, type Subject } from '../understand';
import { hostsFor } from './hosts';
import {
  candidatesMax,
  createRequestJson,
  keyOf,
  type ProviderSettings,
  urlOf,
  usualCapability,
} from './provider-settings';
import type { Diagnosis, Reply } from './wire/fetch-json';
import { licenseOf } from './wire/licences';
import { withinCharacters } from './wire/query-words';
import { candidateIn, list, nameText, positive, record } from './wire/read-json';
import { imageUrl, pageUrl } from './wire/urls';

const name = 'pexels';
const queryCharactersMax = 200;
/** Statuses that say that a photo is no longer offered. */
const gone = [404, 410];
/** The first of a language stands for all of its regions. */
const locales = (
  'en-US pt-BR es-ES ca-ES de-DE it-IT fr-FR sv-SE id-ID pl-PL ja-JP zh-CN zh-TW ko-KR th-TH nl-NL hu-HU vi-VN cs-CZ ' +
  'da-DK fi-FI uk-UA el-GR ro-RO nb-NO sk-SK tr-TR ru-RU'
).split(' ');
/** Names of colours that differ from the service's. */
const colors: Readonly<Record<string, string>> = { purple: 'violet' };

/** Its image servers crop. */
export function createPexels(settings: ProviderSettings): StockProvider {
  const { baseUrl = 'https://api.pexels.com', clock } = settings;
  /** When the quota is reset, as the last good answer said: a refusal does not say it. */
  let resetsMs = 0;

  const diagnose = ({ status }: Reply): Diagnosis => {
    if (status !== 429) return undefined;
    const leftMs = resetsMs - clock.nowMs();
    return { kind: 'throttled', retryAfterMs: leftMs > 0 ? leftMs : undefined };
  };

  const requestJson = createRequestJson(name, settings, {
    headers: async () => ({ authorization: await keyOf(name, settings) }),
    diagnose,
    observe(headers) {
      resetsMs = Number(headers.get('x-ratelimit-reset') ?? 0) * 1_000;
    },
  });

  return {
    name,
    capability: {
      ...usualCapability,
      ranksByRelevance: true,
      searchFilters: ['color'],
      unmetLicenses: ['public-domain'],
      allowedHosts: hostsFor(baseUrl, ['images.pexels.com']),
      // 200 an hour and 20,000 a month, which is 645 a day in the longest month.
      quota: settings.quota ?? { perHour: 200, perDay: 645 },
    },

    async search({ subject, orientation, color }, signal) {
      const url = urlOf(baseUrl, '/v1/search', {
        query: withinCharacters(subject.cleaned, queryCharactersMax),
        orientation,
        // At least four megapixels, which fill the largest size at less than twice their own.
        size: 'small',
        locale: localeOf(subject),
        per_page: String(candidatesMax),
        color: color === undefined ? undefined : colorOf(color),
      });
      const photos = list(record(await requestJson(url, signal))['photos']);
      return photos.flatMap((photo, index) => candidateOf(photo, index + 1, subject));
    },

    async byId(id, signal) {
      return candidateOf(await requestJson(urlOf(baseUrl, `/v1/photos/${id}`, {}), signal, gone), 1)[0];
    },

    // These parameters are not documented, though Pexels uses them in every URL it hands out.
    sourceFor(candidate, size, position = 'attention') {
      const { widthPx = 0, heightPx = 0 } = candidate;
      const { origin, pathname } = new URL(candidate.sourceUrl);
      if (isSide(position) && widthPx > 0 && heightPx > 0) {
        // Its servers crop in the middle, so the whole image is fetched, no larger than needed, and cropped here.
        const scale = Math.min(1, coverScale({ widthPx, heightPx }, size));
        const [w, h] = [Math.ceil(widthPx * scale), Math.ceil(heightPx * scale)];
        const whole = { auto: 'compress', cs: 'tinysrgb', w: `${w}`, h: `${h}` };
        return { kind: 'fetch', url: urlOf(origin, pathname, whole).href };
      }
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

/** The locale that it searches in, of the language of a subject; `undefined` for a language that it has none for. */
function localeOf(subject: Subject): string | undefined {
  const language = primaryLanguage(subject);
  const ofLanguage = locales.filter((locale) => locale.startsWith(`${language}-`));
  return ofLanguage.find((locale) => locale.toLowerCase() === subject.lang) ?? ofLanguage[0];
}

function isSide(position: Crop): boolean {
  return position !== 'attention' && position !== 'faces' && position !== 'center';
}

/** A hexadecimal value with its sign, or a name as Pexels spells it. */
function colorOf(color: string): string {
  const named = nearestColorName(color);
  return named === color ? (colors[named] ?? named) : `#${hexOf(color)}`;
}

/** Schema: pexels/pexels-javascript, `src/types.ts`. */
function candidateOf(photo: unknown, rank: number, subject?: Subject): Candidate[] {
  const item = record(photo);
  const id = positive(item['id']);
  const creator = nameText(item['photographer']);
  return candidateIn(
    {
      id: id?.toString(),
      width: item['width'],
      height: item['height'],
      sourceUrl: imageUrl(record(item, 'src')['original']),
      providerName: 'Pexels',
      creator,
      creatorUrl: pageUrl(item['photographer_url']),
      landingUrl: pageUrl(item['url']),
      license: licenseOf.pexels,
      creditLine: creator === undefined ? 'Photo on Pexels' : `Photo by ${creator} on Pexels`,
      alt: item['alt'],
      lang: 'en',
      color: item['avg_color'],
    },
    rank,
    subject,
  );
}
