/** The adapter of Unsplash (https://unsplash.com/documentation). Photos are hotlinked, uses are reported. */

import { type Crop, choiceImagesMax } from '../../contract/request-bounds';
import { spellColor } from '../color';
import { getPrimaryLanguage } from '../subject';
import { buildUrl, type ProviderApi } from './adapter';
import { listMembers, readObject, readPageUrl } from './wire/fields';

const license = { id: 'unsplash', name: 'Unsplash License', url: 'https://unsplash.com/license' };
const orientations = { landscape: 'landscape', portrait: 'portrait', square: 'squarish' } as const;
/** Unsplash's names of our colours; `undefined` for a colour that it cannot search by. */
const colorSpellings = { gray: undefined, brown: undefined, pink: 'magenta' };
/** imgix's names of our crops. Sides have the same name there, and the middle has none. */
const cropModes: Readonly<Partial<Record<Crop, string>>> = { attention: 'entropy', center: '' };
/** Unsplash wants these in every link to its pages (https://help.unsplash.com/en/articles/2511245). */
const referral = { utm_source: 'image-redirect', utm_medium: 'referral' };

/** Reads an image (https://unsplash.com/spec/v1.json). */
const readImage: ProviderApi['readImage'] = ({ id, width, height, urls, links, user, tags, ...fields }) => ({
  id,
  width,
  height,
  sourceUrl: readObject(urls)['raw'],
  creator: readObject(user)['name'],
  creatorUrl: addReferral(readObject(user, 'links')['html']),
  landingUrl: addReferral(readObject(links)['html']),
  license,
  title: fields['description'],
  alt: fields['alt_description'],
  lang: 'en',
  tags: listMembers(tags).map((tag) => readObject(tag)['title']),
  color: fields['color'],
  extra: { downloadLocation: readObject(links)['download_location'] },
});

function addReferral(url: unknown): string | undefined {
  const page = readPageUrl(url);
  return page && buildUrl(page, '', referral).href;
}

const search: ProviderApi['search'] = ({ subject, orientation, color }, searchFor) => {
  const parameters = {
    query: subject.cleaned,
    lang: getPrimaryLanguage(subject),
    orientation: orientations[orientation],
    order_by: 'relevant',
    content_filter: 'high',
    color: spellColor(color, colorSpellings),
    per_page: String(choiceImagesMax),
  };
  return searchFor('/search/photos', parameters, subject);
};

/** Offers a crop by imgix. The URL keeps its `ixid`, because Unsplash requires it. */
const offerImage: ProviderApi['offerImage'] = ({ sourceUrl, extra }, size, crop) => {
  const url = new URL(sourceUrl);
  const parameters = {
    w: String(size.widthPx),
    h: String(size.heightPx),
    fit: 'crop',
    crop: cropModes[crop] ?? crop,
    auto: 'format',
    q: '80',
  };
  for (const [name, value] of Object.entries(parameters)) if (value !== '') url.searchParams.set(name, value);
  return { kind: 'hotlink', url: url.href, reportUrl: extra?.['downloadLocation'] };
};

export const unsplash: ProviderApi = {
  name: 'unsplash',
  title: 'Unsplash',
  baseUrl: 'https://api.unsplash.com',
  hosts: ['images.unsplash.com'],
  // A new key has this limit until Unsplash approves the application.
  quota: { perHour: 50 },
  capability: { ranksByRelevance: true, unmetLicenses: ['public-domain'] },
  identify: async (key) => ({
    headers: { authorization: `Client-ID ${await key()}`, 'accept-version': 'v1' },
  }),
  // For a used-up limit, the status is 403 with a line of text. For forbidden access, it is 403 with JSON.
  diagnose: ({ status, body }) => (status === 403 && /rate limit/i.test(body) ? 'throttled' : undefined),
  listImages: (reply) => listMembers(reply, 'results'),
  readImage,
  search,
  locateImage: (id) => [`/photos/${encodeURIComponent(id)}`],
  offerImage,
  writeCredit: (byCreator) => `Photo${byCreator} on Unsplash`,
  wantsReports: true,
};
