/** Pixabay: free photos with a key, which have to be copied before they are published (https://pixabay.com/api/docs/). */

import { coverScale } from '../../images/image';
import { nearestColorName } from '../color';
import type { StockProvider } from '../stock-provider';
import type { Subject } from '../understand';
import { connect } from './core';
import { candidatesMax, type ProviderSettings } from './provider-settings';
import type { Diagnosis, Reply } from './wire/fetch-json';
import { anyField, countField, fields, nameField, pageField, part, textField, urlField } from './wire/fields';
import { pixabayLanguage } from './wire/languages';
import { licenseOf } from './wire/licences';
import { preferOrientation } from './wire/prefer-orientation';
import { withinCharacters } from './wire/query-words';
import { list, present, record } from './wire/read-json';

const orientations = { landscape: 'horizontal', portrait: 'vertical', square: 'all' } as const;
const smallest = { landscape: [1280, 720], portrait: [720, 1280], square: [900, 900] } as const;
const searching = { searchFilters: ['color'], unmetLicenses: ['public-domain'] } as const;
/** Renditions by field, with the longest side in pixels; the last two are there for approved keys only. */
const renditions = [
  ['webformatURL', 640],
  ['largeImageURL', 1280],
  ['fullHDURL', 1920],
  ['imageURL', Number.POSITIVE_INFINITY],
] as const;

const schema = part({
  ...fields(countField, 'id', 'imageWidth', 'imageHeight', 'user_id'),
  ...fields(urlField, 'webformatURL', 'largeImageURL', 'fullHDURL', 'imageURL'),
  ...fields(pageField, 'pageURL', 'userURL'),
  ...fields(anyField, 'isAiGenerated', 'isGRated', 'isLowQuality'),
  ...{ tags: textField, user: nameField },
});

/** The service makes renditions of its copies. */
export function createPixabay(settings: ProviderSettings): StockProvider {
  const { name, capability, key, request, candidatesOf } = connect(
    {
      name: 'pixabay',
      baseUrl: 'https://pixabay.com',
      hosts: ['pixabay.com', 'cdn.pixabay.com'],
      quota: { perMinute: 100 },
      capability: { ...searching, urlsLastForMs: 24 * 3_600_000 },
      diagnose,
      schema,
      photoOf(said, subject) {
        const { id, imageWidth: width, imageHeight: height, user: creator, user_id: userId } = said;
        // Generated images are what `provider=ai` is for.
        if (said.isGRated === false || said.isLowQuality === true || said.isAiGenerated === true)
          return undefined;
        if (width === undefined || height === undefined) return undefined;
        const { webformatURL, largeImageURL, fullHDURL, imageURL } = said;
        const ofUser =
          creator && userId && `https://pixabay.com/users/${encodeURIComponent(creator)}-${userId}/`;
        return {
          ...{ id: id?.toString(), width, height, providerName: 'Pixabay', license: licenseOf.pixabay },
          sourceUrl: imageURL ?? fullHDURL ?? largeImageURL ?? webformatURL,
          ...{ creator, creatorUrl: said.userURL ?? (ofUser || undefined), landingUrl: said.pageURL },
          creditLine: creator === undefined ? 'Image from Pixabay' : `Image by ${creator} from Pixabay`,
          ...{ tags: said.tags?.split(',') ?? [], lang: (subject && pixabayLanguage(subject)) ?? 'en' },
          extra: present({ webformatURL, largeImageURL, fullHDURL, imageURL }),
        };
      },
    },
    settings,
  );
  const photosOf = (answer: unknown, subject?: Subject) =>
    candidatesOf(list(record(answer)['hits']), subject);
  return {
    name,
    capability,

    async search({ subject, orientation, color }, signal) {
      const [minWidth, minHeight] = smallest[orientation];
      const named = color === undefined ? undefined : nearestColorName(color);
      const answer = await request(
        '/api/',
        {
          ...{ key: await key(), q: withinCharacters(subject.cleaned, 100), lang: pixabayLanguage(subject) },
          ...{ image_type: 'photo', safesearch: 'true', orientation: orientations[orientation] },
          ...{ min_width: String(minWidth), min_height: String(minHeight) },
          colors: named === 'purple' ? 'lilac' : named,
          per_page: orientation === 'square' ? '100' : String(2 * candidatesMax),
        },
        signal,
      );
      return preferOrientation(photosOf(answer, subject), orientation).slice(0, candidatesMax);
    },

    async byId(id, signal) {
      return photosOf(await request('/api/', { key: await key(), id }, signal, [400, 404]))[0];
    },

    // The smallest rendition that need not be enlarged, else the largest.
    sourceFor({ widthPx = 0, heightPx = 0, extra = {} }, size) {
      const offered = renditions.flatMap(([field, longestPx]) => {
        const url = extra[field];
        const scale = Math.min(1, longestPx / Math.max(widthPx, heightPx));
        return url === undefined ? [] : [{ url, widthPx: widthPx * scale, heightPx: heightPx * scale }];
      });
      const chosen = offered.find((rendition) => coverScale(rendition, size) <= 1) ?? offered.at(-1);
      return chosen && { kind: 'fetch', url: chosen.url };
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
