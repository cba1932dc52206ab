/** Unsplash: photos that must be loaded from Unsplash itself and whose every use is reported (https://unsplash.com/documentation). */

import type { ColorName, Crop } from '../../contract/request-bounds';
import { nearestColorName } from '../color';
import type { StockProvider } from '../stock-provider';
import { primaryLanguage } from '../understand';
import { adapterOf, candidatesMax, type ProviderSettings, urlOf } from './core';
import * as field from './wire/fields';

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
const referred = (page: string | undefined) => page && urlOf(page, '', referral).href;

/** Schema: https://unsplash.com/spec/v1.json. */
const schema = field.part({
  ...field.fields(field.countField, 'width', 'height'),
  ...field.fields(field.anyField, 'description', 'alt_description', 'color'),
  id: field.textField,
  urls: field.part({ raw: field.urlField }),
  links: field.part({ html: field.pageField, download_location: field.urlField }),
  user: field.part({ name: field.nameField, links: field.part({ html: field.pageField }) }),
  tags: field.listOf(field.part({ title: field.anyField })),
});

/** Its image servers crop. */
export function createUnsplash(settings: ProviderSettings): StockProvider {
  return adapterOf(
    {
      name: 'unsplash',
      title: 'Unsplash',
      baseUrl: 'https://api.unsplash.com',
      hosts: ['images.unsplash.com'],
      // What a key may do before Unsplash has approved the application.
      quota: { perHour: 50 },
      capability: { ranksByRelevance: true, unmetLicenses: ['public-domain'] },
      identify: async (key) => ({
        headers: { authorization: `Client-ID ${await key()}`, 'accept-version': 'v1' },
      }),
      // Over the limit it answers 403 with a line of text, where 403 as JSON means what it says.
      diagnose: ({ status, body }) => (status === 403 && /rate limit/i.test(body) ? 'throttled' : undefined),
      photosIn: (answer) => field.membersOf(answer, 'results'),
      schema,
      photoOf: ({ urls, links, user, tags, description, alt_description, ...said }) => ({
        ...said,
        sourceUrl: urls.raw,
        license: { id: 'unsplash', name: 'Unsplash License', url: 'https://unsplash.com/license' },
        creator: user.name,
        creatorUrl: referred(user.links.html),
        landingUrl: referred(links.html),
        title: description,
        alt: alt_description,
        lang: 'en',
        tags: tags.map(({ title }) => title),
        extra: links.download_location ? { downloadLocation: links.download_location } : undefined,
      }),
      credit: (by) => `Photo${by} on Unsplash`,

      search({ subject, orientation, color }, searchFor) {
        const named = color === undefined ? undefined : nearestColorName(color);
        const parameters = {
          query: subject.cleaned,
          lang: primaryLanguage(subject),
          ...{ orientation: orientations[orientation], order_by: 'relevant', content_filter: 'high' },
          color: named && (named in colors ? colors[named] : named),
          per_page: String(candidatesMax),
        };
        return searchFor('/search/photos', parameters, subject);
      },

      photoAt: (id) => [`/photos/${encodeURIComponent(id)}`],

      // Any size by imgix; `ixid`, which is part of the URL already, has to stay.
      sourceFor({ sourceUrl, extra }, size, position) {
        const url = new URL(sourceUrl);
        const crop = cropModes[position] ?? position;
        const wanted = { w: size.widthPx, h: size.heightPx, fit: 'crop', crop, auto: 'format', q: '80' };
        for (const [parameter, value] of Object.entries(wanted))
          if (value !== '') url.searchParams.set(parameter, String(value));
        const reportUrl = extra?.['downloadLocation'];
        return { kind: 'hotlink', url: url.href, ...(reportUrl !== undefined && { reportUrl }) };
      },

      wantsReports: true,
    },
    settings,
  );
}
