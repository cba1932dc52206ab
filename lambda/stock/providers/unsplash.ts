/** Unsplash: hotlinked photos, whose every use is reported (https://unsplash.com/documentation). */

import { type ColorName, type Crop, choiceImagesMax } from '../../contract/request-bounds';
import { nearestColorName } from '../color';
import type { StockProvider } from '../stock-provider';
import { primaryLanguage } from '../subject';
import { createAdapter, type ProviderSettings, urlOf } from './core';
import { cropHosts } from './hosts';
import { membersOf, objectAt, pageUrl } from './wire/fields';

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
const referral = { utm_source: 'image-redirect', utm_medium: 'referral' };
const withReferral = (url: unknown) => {
  const page = pageUrl(url);
  return page && urlOf(page, '', referral).href;
};

/** The adapter of Unsplash, whose image servers crop for every position. */
export function createUnsplash(settings: ProviderSettings): StockProvider {
  return createAdapter(
    {
      name: 'unsplash',
      title: 'Unsplash',
      baseUrl: 'https://api.unsplash.com',
      hosts: cropHosts.unsplash,
      // What a key may do before Unsplash has approved the application.
      quota: { perHour: 50 },
      capability: { ranksByRelevance: true, unmetLicenses: ['public-domain'] },
      identify: async (key) => ({
        headers: { authorization: `Client-ID ${await key()}`, 'accept-version': 'v1' },
      }),
      // Over the limit it answers 403 with a line of text, where 403 as JSON means what it says.
      diagnose: ({ status, body }) => (status === 403 && /rate limit/i.test(body) ? 'throttled' : undefined),
      photosIn: (answer) => membersOf(answer, 'results'),
      // https://unsplash.com/spec/v1.json
      photoOf: ({ id, width, height, urls, links, user, tags, description, color, ...fields }) => ({
        id,
        width,
        height,
        color,
        sourceUrl: objectAt(urls)['raw'],
        license: { id: 'unsplash', name: 'Unsplash License', url: 'https://unsplash.com/license' },
        creator: objectAt(user)['name'],
        creatorUrl: withReferral(objectAt(user, 'links')['html']),
        landingUrl: withReferral(objectAt(links)['html']),
        title: description,
        alt: fields['alt_description'],
        lang: 'en',
        tags: membersOf(tags).map((tag) => objectAt(tag)['title']),
        extra: { downloadLocation: objectAt(links)['download_location'] },
      }),
      credit: (byCreator) => `Photo${byCreator} on Unsplash`,

      search({ subject, orientation, color }, searchFor) {
        const name = color === undefined ? undefined : nearestColorName(color);
        const parameters = {
          query: subject.cleaned,
          lang: primaryLanguage(subject),
          orientation: orientations[orientation],
          order_by: 'relevant',
          content_filter: 'high',
          color: name && (name in colors ? colors[name] : name),
          per_page: String(choiceImagesMax),
        };
        return searchFor('/search/photos', parameters, subject);
      },

      photoAt: (id) => [`/photos/${encodeURIComponent(id)}`],

      // Any size by imgix; `ixid`, which is part of the URL already, has to stay.
      sourceFor({ sourceUrl, extra }, size, position) {
        const url = new URL(sourceUrl);
        const crop = cropModes[position] ?? position;
        const parameters = { w: size.widthPx, h: size.heightPx, fit: 'crop', crop, auto: 'format', q: '80' };
        for (const [parameter, value] of Object.entries(parameters))
          if (value !== '') url.searchParams.set(parameter, String(value));
        return { kind: 'hotlink', url: url.href, reportUrl: extra?.['downloadLocation'] };
      },

      wantsReports: true,
    },
    settings,
  );
}
