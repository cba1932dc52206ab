/** Openverse: openly licensed images of many collections, without a key (https://api.openverse.org). */

import { coverScale } from '../../images/image';
import type { StockProvider } from '../stock-provider';
import { type Subject, searchWords } from '../understand';
import { candidatesMax, connect, type ProviderSettings, urlOf } from './core';
import { anonymousQuota, createOpenverseClient } from './openverse-client';
import {
  anyField,
  countField,
  fields,
  listOf,
  nameField,
  pageField,
  part,
  textField,
  urlField,
} from './wire/fields';
import { climb } from './wire/ladder';
import { creativeCommonsName, freeLicense } from './wire/licences';

/** Width of the thumbnail that is not requested in full size, in pixels. */
const thumbnailWidthPx = 600;
/** Words of which an image needs some. */
const broadWordsMax = 5;
const aspectRatios = { landscape: 'wide', portrait: 'tall', square: 'square' } as const;
const base = 'https://api.openverse.org';

/** Schema: WordPress/openverse, `api/api/serializers/image_serializers.py`. */
const schema = part({
  ...fields(textField, 'id', 'license', 'license_version', 'category', 'filetype'),
  ...fields(nameField, 'title', 'creator'),
  ...fields(pageField, 'foreign_landing_url', 'creator_url', 'license_url'),
  ...fields(countField, 'width', 'height'),
  mature: anyField,
  url: urlField,
  tags: listOf(part({ name: anyField })),
  unstable__sensitivity: listOf(anyField),
});

/** A search takes up to three requests. */
export function createOpenverse(settings: ProviderSettings): StockProvider {
  const client = createOpenverseClient(settings.baseUrl ?? base, settings);
  const { name, baseUrl, capability, photos, photo } = connect(
    {
      name: 'openverse',
      title: 'Openverse',
      baseUrl: base,
      hosts: ['api.openverse.org'],
      // A request without a key that asks for more than 20 images is answered with 401.
      quota: anonymousQuota,
      capability: { searchFilters: ['license'] },
      headers: (_, signal) => client.headers(signal),
      photosAt: ['results'],
      schema,
      photoOf({ id = '', category = '', filetype, license: code = '', tags, url, ...said }) {
        // The filters are the API's; this is for the day when one of them is misread.
        const isSensitive = said.mature === true || said.unstable__sensitivity.length > 0;
        // Most records have no category, so that only the other ones can be left out.
        const isDrawing = filetype === 'svg' || /^(illustration|digitized_artwork)$/.test(category);
        if (isSensitive || isDrawing || !/^[0-9a-f-]{36}$/.test(id)) return undefined;
        return {
          ...said,
          id,
          sourceUrl: url,
          creatorUrl: said.creator_url,
          landingUrl: said.foreign_landing_url,
          license: freeLicense(creativeCommonsName(code, said.license_version), said.license_url),
          tags: tags.map((tag) => tag.name),
        };
      },
    },
    settings,
  );
  return {
    name,
    capability,
    currentQuota: client.quota,

    // The API joins the words of `q` with AND, and those of `title` and `tags` with OR, which its documentation does not
    // promise: WordPress/openverse, api/api/controllers/search_controller.py.
    async search({ subject, orientation, license }, signal, takeRequest) {
      const filters = {
        // Both types are needed, as images are cropped and may stand on commercial pages.
        ...(license === undefined ? { license_type: 'commercial,modification' } : { license: 'cc0,pdm' }),
        aspect_ratio: aspectRatios[orientation],
        size: 'large',
        mature: 'false',
        page_size: String(candidatesMax),
      };
      const search = (words: Readonly<Partial<Record<'q' | 'title' | 'tags', string>>>, of: Subject) =>
        photos('/v1/images/', { ...words, ...filters }, signal, of);
      const broad = searchWords(subject, broadWordsMax);
      const broader = [() => search({ title: broad }, subject), () => search({ tags: broad }, subject)];
      const strict = (q: string, of: Subject) => search({ q }, of);
      return climb({ strict, broader: subject.words.length > 1 ? broader : [] }, subject, takeRequest);
    },

    byId: (id, signal) => photo(`/v1/images/${id}/`, {}, signal),

    // The file's own URL may be dead, huge or plain http; the API's copy of it is none of these.
    sourceFor({ id, widthPx, heightPx }, size) {
      const isKnown = widthPx !== undefined && heightPx !== undefined;
      const neededPx = isKnown ? widthPx * coverScale({ widthPx, heightPx }, size) : Infinity;
      const full = Math.ceil(neededPx) <= thumbnailWidthPx ? {} : { full_size: 'true' };
      return { kind: 'fetch', url: urlOf(baseUrl, `/v1/images/${id}/thumb/`, full).href };
    },
  };
}
