/** Unsplash: photos that must be loaded from Unsplash itself and whose every use is reported (https://unsplash.com/documentation). */

import { parseUrl } from '../../base/parse-url';
import type { ColorName, Crop } from '../../contract/request-bounds';
import type { Candidate } from '../../images/image';
import { nearestColorName } from '../color';
import { ProviderFailure, type StockProvider } from '../stock-provider';
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
import { candidateIn, list, nameText, record, text } from './wire/read-json';
import { imageUrl, pageUrl } from './wire/urls';

const name = 'unsplash';
const queryCharactersMax = 200;
/** Statuses that say that a photo is no longer offered. */
const gone = [404, 410];
const orientations = { landscape: 'landscape', portrait: 'portrait', square: 'squarish' } as const;
/** Its colours by the service's names; `undefined` for a colour that it does not search by. */
const colors: Readonly<Record<ColorName, string | undefined>> = {
  black: 'black',
  white: 'white',
  gray: undefined,
  red: 'red',
  orange: 'orange',
  yellow: 'yellow',
  green: 'green',
  blue: 'blue',
  purple: 'purple',
  pink: 'magenta',
  brown: undefined,
};
/** imgix's names of what it keeps; without one it keeps the middle. */
const cropModes: Readonly<Record<Crop, string | undefined>> = {
  attention: 'entropy',
  center: undefined,
  faces: 'faces',
  top: 'top',
  bottom: 'bottom',
  left: 'left',
  right: 'right',
};
/** Every link to Unsplash says who sent the visitor (https://help.unsplash.com/en/articles/2511245). */
const referral = { utm_source: 'image-redirect', utm_medium: 'referral' } as const;

/** Its image servers crop. */
export function createUnsplash(settings: ProviderSettings): StockProvider {
  const { baseUrl = 'https://api.unsplash.com' } = settings;
  const requestJson = createRequestJson(name, settings, {
    headers: async () => ({
      authorization: `Client-ID ${await keyOf(name, settings)}`,
      'accept-version': 'v1',
    }),
    diagnose,
  });

  return {
    name,
    capability: {
      ...usualCapability,
      ranksByRelevance: true,
      searchFilters: ['color'],
      unmetLicenses: ['public-domain'],
      allowedHosts: hostsFor(baseUrl, ['images.unsplash.com']),
      // What a key may do before Unsplash has approved the application.
      quota: settings.quota ?? { perHour: 50 },
    },

    async search({ subject, orientation, color }, signal) {
      const url = urlOf(baseUrl, '/search/photos', {
        query: withinCharacters(subject.cleaned, queryCharactersMax),
        orientation: orientations[orientation],
        lang: primaryLanguage(subject),
        order_by: 'relevant',
        content_filter: 'high',
        color: color === undefined ? undefined : colors[nearestColorName(color)],
        per_page: String(candidatesMax),
      });
      const photos = list(record(await requestJson(url, signal))['results']);
      return photos.flatMap((photo, index) => candidateOf(photo, index + 1, subject));
    },

    async byId(id, signal) {
      const url = urlOf(baseUrl, `/photos/${encodeURIComponent(id)}`, {});
      return candidateOf(await requestJson(url, signal, gone), 1)[0];
    },

    // Any size by imgix; `ixid`, which is part of the URL already, has to stay.
    sourceFor(candidate, size, position = 'attention') {
      const url = new URL(candidate.sourceUrl);
      const crop = {
        w: String(size.widthPx),
        h: String(size.heightPx),
        fit: 'crop',
        crop: cropModes[position],
        auto: 'format',
        q: '80',
      };
      for (const [parameter, value] of Object.entries(crop)) {
        if (value !== undefined) url.searchParams.set(parameter, value);
      }
      const reportUrl = candidate.extra?.['downloadLocation'];
      return { kind: 'hotlink', url: url.href, ...(reportUrl === undefined ? {} : { reportUrl }) };
    },

    async reportUse(reportUrl, signal) {
      const url = parseUrl(reportUrl);
      // The key goes with the request, so it goes nowhere else.
      if (url?.origin !== new URL(baseUrl).origin)
        throw new ProviderFailure('rejected', 'A use can be reported to Unsplash only.');
      await requestJson(url, signal);
    },
  };
}

/** Over the limit it answers 403 with a line of text, where 403 as JSON means what it says. */
function diagnose({ status, body }: Reply): Diagnosis {
  return status === 403 && /rate limit/i.test(body) ? { kind: 'throttled' } : undefined;
}

/** Schema: https://unsplash.com/spec/v1.json. */
function candidateOf(photo: unknown, rank: number, subject?: Subject): Candidate[] {
  const item = record(photo);
  const creator = nameText(record(item, 'user')['name']);
  const downloadLocation = imageUrl(record(item, 'links')['download_location']);
  return candidateIn(
    {
      id: text(item['id']),
      width: item['width'],
      height: item['height'],
      sourceUrl: imageUrl(record(item, 'urls')['raw']),
      providerName: 'Unsplash',
      creator,
      creatorUrl: referred(record(item, 'user', 'links')['html']),
      landingUrl: referred(record(item, 'links')['html']),
      license: licenseOf.unsplash,
      creditLine: `Photo by ${creator ?? 'an unnamed photographer'} on Unsplash`,
      title: item['description'],
      alt: item['alt_description'],
      lang: 'en',
      tags: list(item['tags']).map((tag) => record(tag)['title']),
      color: item['color'],
      extra: downloadLocation === undefined ? undefined : { downloadLocation },
    },
    rank,
    subject,
  );
}

function referred(value: unknown): string | undefined {
  const page = pageUrl(value);
  if (page === undefined) return undefined;
  const url = new URL(page);
  for (const [parameter, source] of Object.entries(referral)) url.searchParams.set(parameter, source);
  return url.href;
}
