/** Unsplash: photos that must be loaded from Unsplash itself and whose every use is reported (https://unsplash.com/documentation). */

import { parseUrl } from '../../base/parse-url';
import type { ColorName, Crop } from '../../contract/request-bounds';
import { nearestColorName } from '../color';
import { ProviderFailure, type StockProvider } from '../stock-provider';
import { primaryLanguage } from '../understand';
import { connect, goneStatuses } from './core';
import { candidatesMax, type ProviderSettings } from './provider-settings';
import type { Diagnosis, Reply } from './wire/fetch-json';
import { anyField, fields, listOf, nameField, pageField, part, textField, urlField } from './wire/fields';
import { licenseOf } from './wire/licences';
import { withinCharacters } from './wire/query-words';
import { list, record } from './wire/read-json';

const orientations = { landscape: 'landscape', portrait: 'portrait', square: 'squarish' } as const;
/** Its colours by the service's names; `undefined` for a colour that it does not search by. */
const colors: Partial<Record<ColorName, string | undefined>> = {
  gray: undefined,
  brown: undefined,
  pink: 'magenta',
};
/** imgix's names of what it keeps; a side by its own name, and the middle without one. */
const cropModes: Readonly<Partial<Record<Crop, string>>> = { attention: 'entropy', center: '' };
/** Every link to Unsplash says who sent the visitor (https://help.unsplash.com/en/articles/2511245). */
const referral = { utm_source: 'image-redirect', utm_medium: 'referral' } as const;

/** Schema: https://unsplash.com/spec/v1.json. */
const schema = part({
  ...fields(anyField, 'width', 'height', 'description', 'alt_description', 'color'),
  id: textField,
  urls: part({ raw: urlField }),
  links: part({ html: pageField, download_location: urlField }),
  user: part({ name: nameField, links: part({ html: pageField }) }),
  tags: listOf(part({ title: anyField })),
});

/** Its image servers crop. */
export function createUnsplash(settings: ProviderSettings): StockProvider {
  const { name, capability, baseUrl, request, candidatesOf } = connect(
    {
      name: 'unsplash',
      baseUrl: 'https://api.unsplash.com',
      hosts: ['images.unsplash.com'],
      // What a key may do before Unsplash has approved the application.
      quota: { perHour: 50 },
      capability: { ranksByRelevance: true, searchFilters: ['color'], unmetLicenses: ['public-domain'] },
      headers: async (key) => ({ authorization: `Client-ID ${await key()}`, 'accept-version': 'v1' }),
      diagnose,
      schema,
      photoOf: ({ id, urls, links, user, tags, description, alt_description, ...said }) => ({
        ...said,
        ...{ id, sourceUrl: urls.raw, providerName: 'Unsplash', license: licenseOf.unsplash, lang: 'en' },
        ...{ creator: user.name, creatorUrl: referred(user.links.html), landingUrl: referred(links.html) },
        creditLine: `Photo by ${user.name ?? 'an unnamed photographer'} on Unsplash`,
        ...{ title: description, alt: alt_description, tags: tags.map(({ title }) => title) },
        extra: links.download_location ? { downloadLocation: links.download_location } : undefined,
      }),
    },
    settings,
  );
  return {
    name,
    capability,

    async search({ subject, orientation, color }, signal) {
      const named = color === undefined ? undefined : nearestColorName(color);
      const answer = await request(
        '/search/photos',
        {
          ...{ query: withinCharacters(subject.cleaned, 200), lang: primaryLanguage(subject) },
          ...{ orientation: orientations[orientation], order_by: 'relevant', content_filter: 'high' },
          color: named && (named in colors ? colors[named] : named),
          per_page: String(candidatesMax),
        },
        signal,
      );
      return candidatesOf(list(record(answer)['results']), subject);
    },

    async byId(id, signal) {
      return candidatesOf([await request(`/photos/${encodeURIComponent(id)}`, {}, signal, goneStatuses)])[0];
    },

    // Any size by imgix; `ixid`, which is part of the URL already, has to stay.
    sourceFor({ sourceUrl, extra }, size, position = 'attention') {
      const url = new URL(sourceUrl);
      const crop = cropModes[position] ?? position;
      const wanted = { w: size.widthPx, h: size.heightPx, fit: 'crop', crop, auto: 'format', q: '80' };
      for (const [parameter, value] of Object.entries(wanted))
        if (value !== '') url.searchParams.set(parameter, String(value));
      const reportUrl = extra?.['downloadLocation'];
      return { kind: 'hotlink', url: url.href, ...(reportUrl !== undefined && { reportUrl }) };
    },

    async reportUse(reportUrl, signal) {
      const url = parseUrl(reportUrl);
      // The key goes with the request, so it goes nowhere else.
      if (url?.origin !== new URL(baseUrl).origin)
        throw new ProviderFailure('rejected', 'A use can be reported to Unsplash only.');
      await request(`${url.pathname}${url.search}`, {}, signal);
    },
  };
}

/** Over the limit it answers 403 with a line of text, where 403 as JSON means what it says. */
function diagnose({ status, body }: Reply): Diagnosis {
  return status === 403 && /rate limit/i.test(body) ? { kind: 'throttled' } : undefined;
}

function referred(page: string | undefined): string | undefined {
  if (page === undefined) return undefined;
  const url = new URL(page);
  for (const [parameter, source] of Object.entries(referral)) url.searchParams.set(parameter, source);
  return url.href;
}
