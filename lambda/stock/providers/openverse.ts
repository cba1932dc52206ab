/** Openverse: openly licensed images of many collections, without a key (https://api.openverse.org). */

import type * as z from 'zod/mini';
import { coverScale } from '../../images/image';
import type { StockProvider, StockQuery } from '../stock-provider';
import { type Subject, searchWords } from '../understand';
import { connect, goneStatuses } from './core';
import { anonymousQuota, createOpenverseClient } from './openverse-client';
import { candidatesMax, type ProviderSettings, urlOf } from './provider-settings';
import { anyField, fields, listOf, nameField, pageField, part, textField, urlField } from './wire/fields';
import { climb } from './wire/ladder';
import { creativeCommons } from './wire/licences';
import { list, type Photo, plainText, record } from './wire/read-json';

/** Longest ready credit line that is passed on, in characters: it repeats the title, which may be a whole story. */
const attributionCharactersMax = 600;
/** Width of the thumbnail that is not requested in full size, in pixels. */
const thumbnailWidthPx = 600;
/** Words of which an image needs some. */
const broadWordsMax = 5;
const aspectRatios = { landscape: 'wide', portrait: 'tall', square: 'square' } as const;

/** Schema: WordPress/openverse, `api/api/serializers/image_serializers.py`. */
const schema = part({
  ...fields(textField, 'id', 'license', 'license_version', 'category', 'filetype'),
  ...fields(nameField, 'title', 'creator'),
  ...fields(pageField, 'foreign_landing_url', 'creator_url', 'license_url'),
  ...fields(anyField, 'width', 'height', 'attribution', 'mature'),
  url: urlField,
  tags: listOf(part({ name: anyField })),
  unstable__sensitivity: listOf(anyField),
});

/** A search takes up to three requests. */
export function createOpenverse(settings: ProviderSettings): StockProvider {
  const base = 'https://api.openverse.org';
  const client = createOpenverseClient(settings.baseUrl ?? base, settings);
  const { name, baseUrl, capability, request, candidatesOf } = connect(
    {
      name: 'openverse',
      baseUrl: base,
      hosts: ['api.openverse.org'],
      // A request without a key that asks for more than 20 images is answered with 401.
      quota: anonymousQuota,
      capability: { searchFilters: ['license'] },
      headers: (_, signal) => client.headers(signal),
      schema,
      photoOf,
    },
    settings,
  );
  type Words = Readonly<Partial<Record<'q' | 'title' | 'tags', string>>>;
  const search = async (words: Words, query: StockQuery, subject: Subject, signal: AbortSignal) => {
    const parameters = {
      ...words,
      // Both types are needed, as images are cropped and may stand on commercial pages.
      ...(query.license === undefined ? { license_type: 'commercial,modification' } : { license: 'cc0,pdm' }),
      ...{ aspect_ratio: aspectRatios[query.orientation], size: 'large', mature: 'false' },
      page_size: String(candidatesMax),
    };
    return candidatesOf(list(record(await request('/v1/images/', parameters, signal))['results']), subject);
  };
  return {
    name,
    capability,
    currentQuota: client.quota,

    // The API joins the words of `q` with AND, and those of `title` and `tags` with OR, which its documentation does not
    // promise: WordPress/openverse, api/api/controllers/search_controller.py.
    async search(query, signal, takeRequest) {
      const { subject } = query;
      const broad = searchWords(subject, broadWordsMax);
      const broader = [{ title: broad }, { tags: broad }].map(
        (words) => () => search(words, query, subject, signal),
      );
      const strict = (words: string, of: Subject) => search({ q: words }, query, of, signal);
      return climb({ strict, broader: subject.words.length > 1 ? broader : [] }, subject, takeRequest);
    },

    async byId(id, signal) {
      return candidatesOf([await request(`/v1/images/${id}/`, {}, signal, goneStatuses)])[0];
    },

    // The file's own URL may be dead, huge or plain http; the API's copy of it is none of these.
    sourceFor({ id, widthPx, heightPx }, size) {
      const isKnown = widthPx !== undefined && heightPx !== undefined;
      const neededPx = isKnown ? widthPx * coverScale({ widthPx, heightPx }, size) : Infinity;
      const full = Math.ceil(neededPx) <= thumbnailWidthPx ? {} : { full_size: 'true' };
      return { kind: 'fetch', url: urlOf(baseUrl, `/v1/images/${id}/thumb/`, full).href };
    },
  };
}

function photoOf(said: z.output<typeof schema>): Photo | undefined {
  const { id = '', width, height, title, creator, attribution, mature, category = '', filetype } = said;
  // The filters are the API's; this is for the day when one of them is misread.
  const isSensitive = mature === true || said.unstable__sensitivity.length > 0;
  // Most records have no category, so that only the other ones can be left out.
  const isDrawing = filetype === 'svg' || /^(illustration|digitized_artwork)$/.test(category);
  const license = creativeCommons(said.license ?? '', said.license_version, said.license_url);
  if (isSensitive || isDrawing || !license || !/^[0-9a-f-]{36}$/.test(id)) return undefined;
  const ready = plainText(attribution);
  const isShort = ready !== undefined && ready.length <= attributionCharactersMax;
  const built = `${title ? `“${title}”` : 'Image'}${creator ? ` by ${creator}` : ''}, ${license.name}`;
  return {
    ...{ id, width, height, sourceUrl: said.url, providerName: 'Openverse', license, title, creator },
    ...{ creatorUrl: said.creator_url, landingUrl: said.foreign_landing_url },
    creditLine: isShort ? ready : `${built}, via Openverse`,
    tags: said.tags.map(({ name }) => name),
  };
}
