/** Openverse: openly licensed images of many collections, without a key (https://api.openverse.org). */

import { type Candidate, coverScale } from '../../images/image';
import type { Size } from '../../requests/rendition';
import type { StockProvider, StockQuery } from '../stock-provider';
import { type Subject, searchWords } from '../understand';
import { hostsFor } from './hosts';
import { anonymousQuota, createOpenverseClient } from './openverse-client';
import { createRequestJson, type ProviderSettings, urlOf, usualCapability } from './provider-settings';
import { climb } from './wire/ladder';
import { creativeCommons } from './wire/licences';
import { candidateIn, list, nameText, plainText, record, text } from './wire/read-json';
import { imageUrl, pageUrl } from './wire/urls';

const name = 'openverse';
/** A request without a key that asks for more is answered with 401. */
const pageSizeMax = 20;
/** Longest ready credit line that is passed on, in characters. */
const attributionCharactersMax = 600;
/** Width of the thumbnail that is not requested in full size, in pixels. */
const thumbnailWidthPx = 600;
/** Words of which an image needs some. */
const broadWordsMax = 5;
const aspectRatios = { landscape: 'wide', portrait: 'tall', square: 'square' } as const;

/** A search takes up to three requests. */
export function createOpenverse(settings: ProviderSettings): StockProvider {
  const { baseUrl = 'https://api.openverse.org' } = settings;
  const client = createOpenverseClient(baseUrl, settings);
  const requestJson = createRequestJson(name, settings, { headers: client.headers });

  const request = async (
    words: Readonly<Partial<Record<'q' | 'title' | 'tags', string>>>,
    { orientation, license }: StockQuery,
    subject: Subject,
    signal: AbortSignal,
  ) => {
    const url = urlOf(baseUrl, '/v1/images/', {
      ...words,
      // Both types are needed, as images are cropped and may stand on commercial pages.
      ...(license === undefined ? { license_type: 'commercial,modification' } : { license: 'cc0,pdm' }),
      aspect_ratio: aspectRatios[orientation],
      size: 'large',
      mature: 'false',
      page_size: String(pageSizeMax),
    });
    return list(record(await requestJson(url, signal))['results']).flatMap((result, index) =>
      candidateOf(result, index + 1, subject),
    );
  };

  return {
    name,
    capability: {
      ...usualCapability,
      searchFilters: ['license'],
      allowedHosts: hostsFor(baseUrl, ['api.openverse.org']),
      quota: settings.quota ?? anonymousQuota,
    },
    currentQuota: client.quota,

    // The API joins the words of `q` with AND, and those of `title` and `tags` with OR, which its documentation does not
    // promise: WordPress/openverse, api/api/controllers/search_controller.py.
    async search(query, signal, takeRequest) {
      const { subject } = query;
      const search = (words: Parameters<typeof request>[0], of = subject) =>
        request(words, query, of, signal);
      const broad = searchWords(subject, broadWordsMax);
      const ladder = {
        strict: (words: string, of: Subject) => search({ q: words }, of),
        broader:
          subject.words.length > 1 ? [() => search({ title: broad }), () => search({ tags: broad })] : [],
      };
      return climb(ladder, subject, takeRequest);
    },

    async byId(id, signal) {
      return candidateOf(
        await requestJson(urlOf(baseUrl, `/v1/images/${id}/`, {}), signal, [404, 410]),
        1,
      )[0];
    },

    // The file's own URL may be dead, huge or plain http; the API's copy of it is none of these.
    sourceFor(candidate, size) {
      const path = `/v1/images/${candidate.id}/thumb/`;
      const isSmall = coverWidthPx(candidate, size) <= thumbnailWidthPx;
      return { kind: 'fetch', url: urlOf(baseUrl, path, isSmall ? {} : { full_size: 'true' }).href };
    },
  };
}

/** Width to which an original is scaled to cover a size; endless when the original's size is not known. */
function coverWidthPx({ widthPx, heightPx }: Candidate, wanted: Size): number {
  if (widthPx === undefined || heightPx === undefined) return Number.POSITIVE_INFINITY;
  return Math.ceil(widthPx * coverScale({ widthPx, heightPx }, wanted));
}

/** Schema: WordPress/openverse, `api/api/serializers/image_serializers.py`. */
function candidateOf(result: unknown, rank: number, subject?: Subject): Candidate[] {
  const item = record(result);
  const id = text(item['id']);
  // The filters are the API's; this is for the day when one of them is misread.
  const isSensitive = item['mature'] === true || list(item['unstable__sensitivity']).length > 0;
  // Most records have no category, so that only the other ones can be left out.
  const isDrawing =
    text(item['filetype']) === 'svg' ||
    /^(illustration|digitized_artwork)$/.test(text(item['category']) ?? '');
  const license = creativeCommons(
    text(item['license']) ?? '',
    text(item['license_version']),
    pageUrl(item['license_url']),
  );
  if (isSensitive || isDrawing || !license || !/^[0-9a-f-]{36}$/.test(id ?? '')) return [];
  const creator = nameText(item['creator']);
  const title = nameText(item['title']);
  const built = `${title ? `“${title}”` : 'Image'}${creator ? ` by ${creator}` : ''}, ${license.name}`;
  // The ready line repeats the title, which may be a whole story.
  const ready = plainText(item['attribution']);
  const attribution = ready !== undefined && ready.length <= attributionCharactersMax ? ready : undefined;
  return candidateIn(
    {
      id,
      width: item['width'],
      height: item['height'],
      sourceUrl: imageUrl(item['url']),
      providerName: 'Openverse',
      creator,
      creatorUrl: pageUrl(item['creator_url']),
      landingUrl: pageUrl(item['foreign_landing_url']),
      license,
      creditLine: attribution ?? `${built}, via Openverse`,
      title,
      tags: list(item['tags']).map((tag) => record(tag)['name']),
    },
    rank,
    subject,
  );
}
