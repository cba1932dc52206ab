/** Pixabay: free photos with a key, which have to be copied before they are published (https://pixabay.com/api/docs/). */

import type { ColorName } from '../../contract/request-bounds';
import { type Candidate, coverScale } from '../../images/image';
import { nearestColorName } from '../color';
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
import { preferOrientation } from './wire/prefer-orientation';
import { withinCharacters } from './wire/query-words';
import { candidateIn, list, nameText, positive, record, text } from './wire/read-json';
import { imageUrl, pageUrl } from './wire/urls';

const name = 'pixabay';
const queryCharactersMax = 100;
const orientations = { landscape: 'horizontal', portrait: 'vertical', square: 'all' } as const;
const languages = 'cs da de en es fr id it hu nl no pl pt ro sk fi sv tr vi th bg ru el ja ko zh'.split(' ');
/** Names of colours that differ from the service's. */
const colors: Readonly<Partial<Record<ColorName, string>>> = { purple: 'lilac' };
const smallest = { landscape: [1280, 720], portrait: [720, 1280], square: [900, 900] } as const;
/** Renditions by field, with the longest side in pixels; the last two are there for approved keys only. */
const renditions = [
  ['webformatURL', 640],
  ['largeImageURL', 1280],
  ['fullHDURL', 1920],
  ['imageURL', Number.POSITIVE_INFINITY],
] as const;

/** The service makes renditions of its copies. */
export function createPixabay(settings: ProviderSettings): StockProvider {
  const { baseUrl = 'https://pixabay.com' } = settings;
  const requestJson = createRequestJson(name, settings, { diagnose });

  return {
    name,
    capability: {
      ...usualCapability,
      searchFilters: ['color'],
      unmetLicenses: ['public-domain'],
      allowedHosts: hostsFor(baseUrl, ['pixabay.com', 'cdn.pixabay.com']),
      urlsLastForMs: 24 * 3_600_000,
      quota: settings.quota ?? { perMinute: 100 },
    },

    async search({ subject, orientation, color }, signal) {
      const [minWidth, minHeight] = smallest[orientation];
      const url = urlOf(baseUrl, '/api/', {
        key: await keyOf(name, settings),
        q: withinCharacters(subject.cleaned, queryCharactersMax),
        lang: languageOf(subject),
        image_type: 'photo',
        orientation: orientations[orientation],
        min_width: String(minWidth),
        min_height: String(minHeight),
        safesearch: 'true',
        colors: color === undefined ? undefined : colorOf(color),
        per_page: orientation === 'square' ? '100' : String(2 * candidatesMax),
      });
      const hits = list(record(await requestJson(url, signal))['hits']);
      const candidates = hits.flatMap((hit, index) => candidateOf(hit, index + 1, subject));
      return preferOrientation(candidates, orientation).slice(0, candidatesMax);
    },

    async byId(id, signal) {
      const url = urlOf(baseUrl, '/api/', { key: await keyOf(name, settings), id });
      const [hit] = list(record(await requestJson(url, signal, [400, 404]))['hits']);
      return candidateOf(hit, 1)[0];
    },

    sourceFor(candidate, size) {
      const { widthPx = 0, heightPx = 0, extra = {} } = candidate;
      // The smallest rendition that need not be enlarged, else the largest if it need not be enlarged too much.
      const offered = renditions.flatMap(([field, longestPx]) => {
        const url = extra[field];
        const scale = Math.min(1, longestPx / Math.max(widthPx, heightPx));
        return url === undefined ? [] : [{ url, widthPx: widthPx * scale, heightPx: heightPx * scale }];
      });
      const chosen = offered.find((rendition) => coverScale(rendition, size) <= 1) ?? offered.at(-1);
      return chosen ? { kind: 'fetch', url: chosen.url } : undefined;
    },
  };
}

/** A bad key is 400 with a line of text, and the time until the next call is given in seconds. */
function diagnose({ status, headers, body }: Reply): Diagnosis {
  if (status === 400 && /API key/i.test(body)) return { kind: 'unauthorized' };
  if (status !== 429) return undefined;
  const seconds = Number(headers.get('x-ratelimit-reset') ?? 0);
  return { kind: 'throttled', retryAfterMs: seconds > 0 ? seconds * 1_000 : undefined };
}

/** The language of a subject, where it searches by it; its tags are in the same one. */
function languageOf(subject: Subject): string | undefined {
  const language = primaryLanguage(subject);
  return languages.find((each) => each === language);
}

/** A name as Pixabay spells it. */
function colorOf(color: string): string {
  const named = nearestColorName(color);
  return colors[named] ?? named;
}

function candidateOf(hit: unknown, rank: number, subject?: Subject): Candidate[] {
  const item = record(hit);
  const id = positive(item['id']);
  const urls = renditions.flatMap(([field]) => {
    const url = imageUrl(item[field]);
    return url === undefined ? [] : [[field, url] as const];
  });
  // Generated images are what `provider=ai` is for.
  const isRefused =
    item['isGRated'] === false || item['isLowQuality'] === true || item['isAiGenerated'] === true;
  if (isRefused || !positive(item['imageWidth']) || !positive(item['imageHeight'])) return [];
  const creator = nameText(item['user']);
  const userId = positive(item['user_id']);
  const creatorUrl =
    pageUrl(item['userURL']) ??
    (creator && userId ? `https://pixabay.com/users/${encodeURIComponent(creator)}-${userId}/` : undefined);
  return candidateIn(
    {
      id: id?.toString(),
      width: item['imageWidth'],
      height: item['imageHeight'],
      sourceUrl: urls.at(-1)?.[1],
      providerName: 'Pixabay',
      creator,
      creatorUrl,
      landingUrl: pageUrl(item['pageURL']),
      license: licenseOf.pixabay,
      creditLine: creator === undefined ? 'Image from Pixabay' : `Image by ${creator} from Pixabay`,
      tags: text(item['tags'])?.split(',') ?? [],
      lang: (subject && languageOf(subject)) ?? 'en',
      extra: Object.fromEntries(urls),
    },
    rank,
    subject,
  );
}
