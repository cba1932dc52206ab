/** Pixabay: free photos with a key, which have to be copied before they are published (https://pixabay.com/api/docs/). */

import { coverScale } from '../../images/image';
import { nearestColorName } from '../color';
import type { StockProvider } from '../stock-provider';
import { candidatesMax, connect, type ProviderSettings } from './core';
import { present } from './wire/describe';
import { anyField, countField, fields, nameField, pageField, part, textField, urlField } from './wire/fields';
import { pixabayLanguage } from './wire/languages';
import { licenseOf } from './wire/licences';
import { preferOrientation, withinCharacters } from './wire/narrow';

const orientations = { landscape: 'horizontal', portrait: 'vertical', square: 'all' } as const;
const smallest = { landscape: [1280, 720], portrait: [720, 1280], square: [900, 900] } as const;
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
  tags: textField,
  user: nameField,
});

/** The service makes renditions of its copies. */
export function createPixabay(settings: ProviderSettings): StockProvider {
  const { name, capability, key, photos, photo } = connect(
    {
      name: 'pixabay',
      title: 'Pixabay',
      baseUrl: 'https://pixabay.com',
      hosts: ['pixabay.com', 'cdn.pixabay.com'],
      quota: { perMinute: 100 },
      capability: {
        searchFilters: ['color'],
        unmetLicenses: ['public-domain'],
        urlsLastForMs: 24 * 3_600_000,
      },
      // A bad key is 400 with a line of text.
      diagnose: ({ status, body }) => (status === 400 && /API key/i.test(body) ? 'unauthorized' : undefined),
      photosAt: ['hits'],
      schema,
      photoOf({ imageWidth: width, imageHeight: height, user: creator, ...said }, subject) {
        // Generated images are what `provider=ai` is for.
        if (said.isGRated === false || said.isLowQuality === true || said.isAiGenerated === true)
          return undefined;
        if (width === undefined || height === undefined) return undefined;
        const { webformatURL, largeImageURL, fullHDURL, imageURL } = said;
        const isNamed = creator !== undefined && said.user_id !== undefined;
        const profile = `https://pixabay.com/users/${encodeURIComponent(creator ?? '')}-${said.user_id}/`;
        return {
          id: said.id?.toString(),
          width,
          height,
          sourceUrl: imageURL ?? fullHDURL ?? largeImageURL ?? webformatURL,
          creator,
          creatorUrl: said.userURL ?? (isNamed ? profile : undefined),
          landingUrl: said.pageURL,
          license: licenseOf.pixabay,
          tags: said.tags?.split(',') ?? [],
          lang: (subject && pixabayLanguage(subject)) ?? 'en',
          extra: present({ webformatURL, largeImageURL, fullHDURL, imageURL }),
        };
      },
      credit: (by) => `Image${by} from Pixabay`,
    },
    settings,
  );
  return {
    name,
    capability,

    async search({ subject, orientation, color }, signal) {
      const [minWidth, minHeight] = smallest[orientation];
      const named = color === undefined ? undefined : nearestColorName(color);
      const parameters = {
        key: await key(),
        q: withinCharacters(subject.cleaned, 100),
        lang: pixabayLanguage(subject),
        ...{ image_type: 'photo', safesearch: 'true', orientation: orientations[orientation] },
        ...{ min_width: String(minWidth), min_height: String(minHeight) },
        colors: named === 'purple' ? 'lilac' : named,
        per_page: orientation === 'square' ? '100' : String(2 * candidatesMax),
      };
      const found = await photos('/api/', parameters, signal, subject);
      return preferOrientation(found, orientation).slice(0, candidatesMax);
    },

    byId: async (id, signal) => photo('/api/', { key: await key(), id }, signal),

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
