/** Openverse: openly licensed images of many collections, without a key (https://api.openverse.org). */

import { choiceImagesMax } from '../../contract/request-bounds';
import { coverScale } from '../../images/image';
import type { StockProvider } from '../stock-provider';
import { type Subject, searchWords } from '../subject';
import { baseUrlOf, createAdapter, type ProviderSettings, urlOf } from './core';
import { openverseClient } from './openverse-client';
import { searchUntilEnough } from './search-until-enough';
import { cleanText, membersOf, objectAt, pageUrl } from './wire/fields';
import { creativeCommonsName, freeLicense } from './wire/licenses';

/** Width of the thumbnail that is not requested in full size, in pixels. */
const thumbnailWidthPx = 600;
/** Words of which an image needs some. */
const broadWordsMax = 5;
const aspectRatios = { landscape: 'wide', portrait: 'tall', square: 'square' } as const;
const site = { name: 'openverse', baseUrl: 'https://api.openverse.org' } as const;

/** The adapter of Openverse, which is asked up to three times for one search. */
export function createOpenverse(settings: ProviderSettings): StockProvider {
  const client = openverseClient(baseUrlOf(site, settings), settings);
  return createAdapter(
    {
      ...site,
      title: 'Openverse',
      hosts: ['api.openverse.org'],
      quota: client.quota,
      identify: async (_, signal) => ({ headers: await client.headers(signal) }),
      photosIn: (answer) => membersOf(answer, 'results'),
      // WordPress/openverse, `api/api/serializers/image_serializers.py`.
      photoOf({ id, title, width, height, creator, url, tags, ...fields }) {
        // The filters are the API's; this is for the day when one of them is misread.
        const isSensitive =
          fields['mature'] === true || membersOf(fields['unstable__sensitivity']).length > 0;
        // Most records have no category, so that only the other ones can be left out.
        const isDrawing =
          fields['filetype'] === 'svg' ||
          /^(illustration|digitized_artwork)$/.test(String(fields['category']));
        if (isSensitive || isDrawing || !/^[0-9a-f-]{36}$/.test(String(id))) return undefined;
        const name = creativeCommonsName(
          cleanText(fields['license']) ?? '',
          cleanText(fields['license_version']),
        );
        return {
          id,
          title,
          width,
          height,
          creator,
          sourceUrl: url,
          creatorUrl: fields['creator_url'],
          landingUrl: fields['foreign_landing_url'],
          license: freeLicense(name, pageUrl(fields['license_url'])),
          tags: membersOf(tags).map((tag) => objectAt(tag)['name']),
        };
      },

      // The API joins the words of `q` with AND, and those of `title` and `tags` with OR, which its
      // documentation does not promise: WordPress/openverse, api/api/controllers/search_controller.py.
      async search({ subject, orientation, license }, searchFor, takeRequest) {
        const filters = {
          // Both types are needed, as images are cropped and may stand on commercial pages.
          ...(license === undefined ? { license_type: 'commercial,modification' } : { license: 'cc0,pdm' }),
          aspect_ratio: aspectRatios[orientation],
          size: 'large',
          mature: 'false',
          // More are refused to callers without a key.
          page_size: String(choiceImagesMax),
        };
        const search = (words: Readonly<Partial<Record<'q' | 'title' | 'tags', string>>>, target: Subject) =>
          searchFor('/v1/images/', { ...words, ...filters }, target);
        const broad = searchWords(subject, broadWordsMax);
        const broader = [() => search({ title: broad }, subject), () => search({ tags: broad }, subject)];
        const strict = (q: string, target: Subject) => search({ q }, target);
        return searchUntilEnough(strict, subject.words.length > 1 ? broader : [], subject, takeRequest);
      },

      photoAt: (id) => [`/v1/images/${id}/`],

      // The file's own URL may be dead, huge or plain http; the API's copy of it is none of these.
      sourceFor({ id, widthPx, heightPx }, size, _, baseUrl) {
        const isKnown = widthPx !== undefined && heightPx !== undefined;
        const neededPx = isKnown ? widthPx * coverScale({ widthPx, heightPx }, size) : Infinity;
        const full = Math.ceil(neededPx) <= thumbnailWidthPx ? {} : { full_size: 'true' };
        return { kind: 'fetch', url: urlOf(baseUrl, `/v1/images/${id}/thumb/`, full).href };
      },
    },
    settings,
  );
}
