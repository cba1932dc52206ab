/** Pixabay: free photos with a key, published as copies of our own (https://pixabay.com/api/docs/). */

import { dayMs } from '../../base/window';
import { choiceImagesMax } from '../../contract/request-bounds';
import { cutToLength } from '../../images/alt-text';
import { coverScale } from '../../images/image';
import { nearestColorName } from '../color';
import type { StockProvider } from '../stock-provider';
import { primaryLanguage, type Subject } from '../subject';
import { createAdapter, type ProviderSettings } from './core';
import { preferOrientation } from './search-until-enough';
import { cleanText, membersOf, nameText, pageUrl, positiveInteger, readImageUrl } from './wire/fields';

const license = {
  id: 'pixabay',
  name: 'Pixabay Content License',
  url: 'https://pixabay.com/service/license-summary/',
};
const queryCharactersMax = 100;
const languages = 'cs da de en es fr id it hu nl no pl pt ro sk fi sv tr vi th bg ru el ja ko zh'.split(' ');
const orientations = { landscape: 'horizontal', portrait: 'vertical', square: 'all' } as const;
const smallest = { landscape: [1280, 720], portrait: [720, 1280], square: [900, 900] } as const;
/** Renditions by field, with the longest side in pixels; larger than 1,280 for approved keys only. */
const renditions = [
  ['webformatURL', 640],
  ['largeImageURL', 1280],
  ['fullHDURL', 1920],
  ['imageURL', Number.POSITIVE_INFINITY],
] as const;

const languageOf = (subject: Subject) => languages.find((code) => code === primaryLanguage(subject));

/** The adapter of Pixabay, whose copies the service makes renditions of. */
export function createPixabay(settings: ProviderSettings): StockProvider {
  return createAdapter(
    {
      name: 'pixabay',
      title: 'Pixabay',
      baseUrl: 'https://pixabay.com',
      hosts: ['pixabay.com', 'cdn.pixabay.com'],
      quota: { perMinute: 100 },
      capability: { unmetLicenses: ['public-domain'], urlsLastForMs: dayMs },
      identify: async (key) => ({ parameters: { key: await key() } }),
      // A bad key is 400 with a line of text.
      diagnose: ({ status, body }) => (status === 400 && /API key/i.test(body) ? 'unauthorized' : undefined),
      photosIn: (answer) => membersOf(answer, 'hits'),
      photoOf({ id, imageWidth: width, imageHeight: height, user, user_id, tags, ...fields }, subject) {
        // Generated images are what `provider=ai` is for.
        if (
          fields['isGRated'] === false ||
          fields['isLowQuality'] === true ||
          fields['isAiGenerated'] === true
        )
          return undefined;
        if (!positiveInteger(width) || !positiveInteger(height)) return undefined;
        const name = nameText(user);
        const number = positiveInteger(user_id);
        const profile = `https://pixabay.com/users/${encodeURIComponent(name ?? '')}-${number}/`;
        const extra = Object.fromEntries(renditions.map(([rendition]) => [rendition, fields[rendition]]));
        return {
          id,
          width,
          height,
          creator: user,
          license,
          extra,
          sourceUrl: renditions.map(([rendition]) => fields[rendition]).findLast(readImageUrl),
          creatorUrl: pageUrl(fields['userURL']) ?? (name && number && profile),
          landingUrl: fields['pageURL'],
          tags: cleanText(tags)?.split(',') ?? [],
          lang: (subject && languageOf(subject)) ?? 'en',
        };
      },
      credit: (byCreator) => `Image${byCreator} from Pixabay`,

      async search({ subject, orientation, color }, searchFor) {
        const [minWidth, minHeight] = smallest[orientation];
        const colorName = color === undefined ? undefined : nearestColorName(color);
        const parameters = {
          q: cutToLength(subject.cleaned, queryCharactersMax, ''),
          lang: languageOf(subject),
          image_type: 'photo',
          safesearch: 'true',
          orientation: orientations[orientation],
          min_width: String(minWidth),
          min_height: String(minHeight),
          colors: colorName === 'purple' ? 'lilac' : colorName,
          per_page: orientation === 'square' ? '100' : String(2 * choiceImagesMax),
        };
        const found = await searchFor('/api/', parameters, subject);
        return preferOrientation(found, orientation).slice(0, choiceImagesMax);
      },

      photoAt: (id) => ['/api/', { id }],

      // The smallest rendition that need not be enlarged, else the largest.
      sourceFor({ widthPx = 0, heightPx = 0, extra = {} }, size) {
        const offered = renditions.flatMap(([name, longestPx]) => {
          const url = extra[name];
          const scale = Math.min(1, longestPx / Math.max(widthPx, heightPx));
          return url === undefined ? [] : [{ url, widthPx: widthPx * scale, heightPx: heightPx * scale }];
        });
        const chosen = offered.find((rendition) => coverScale(rendition, size) <= 1) ?? offered.at(-1);
        return chosen && { kind: 'fetch', url: chosen.url };
      },
    },
    settings,
  );
}
