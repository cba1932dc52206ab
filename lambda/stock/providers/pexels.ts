/** The adapter of Pexels (https://www.pexels.com/api/documentation/). It needs a key, and Pexels crops. */

import { type Crop, choiceImagesMax } from '../../contract/request-bounds';
import { computeCoverScale } from '../../images/image';
import { spellColor } from '../color';
import { getPrimaryLanguage, type Subject } from '../subject';
import { buildUrl, type ProviderApi } from './adapter';
import { listMembers, readObject } from './wire/fields';

const license = { id: 'pexels', name: 'Pexels License', url: 'https://www.pexels.com/license/' };
/** The crops that Pexels makes. Its image servers crop in the middle only. */
const nativeCrops: readonly Crop[] = ['attention', 'faces', 'center'];
/** The locales that it searches in. A region without a locale gets the first locale of its language. */
const locales = (
  'en-US pt-BR es-ES ca-ES de-DE it-IT fr-FR sv-SE id-ID pl-PL ja-JP zh-CN zh-TW ko-KR th-TH nl-NL hu-HU vi-VN cs-CZ ' +
  'da-DK fi-FI uk-UA el-GR ro-RO nb-NO sk-SK tr-TR ru-RU'
).split(' ');

/** Reads an image. The repository pexels/pexels-javascript has its type in `src/types.ts`. */
const readImage: ProviderApi['readImage'] = ({ id, width, height, alt, url, src, ...fields }) => ({
  id,
  width,
  height,
  sourceUrl: readObject(src)['original'],
  creator: fields['photographer'],
  creatorUrl: fields['photographer_url'],
  landingUrl: url,
  license,
  alt,
  lang: 'en',
  color: fields['avg_color'],
});

const search: ProviderApi['search'] = ({ subject, orientation, color }, searchFor) => {
  const isHex = /^[0-9a-f]{6}$/.test(color ?? '');
  const parameters = {
    query: subject.cleaned,
    orientation,
    // `small` is at least four megapixels. They are enlarged less than twice for the largest size.
    size: 'small',
    locale: findLocale(subject),
    per_page: String(choiceImagesMax),
    color: isHex ? `#${color}` : spellColor(color, { purple: 'violet' }),
  };
  return searchFor('/v1/search', parameters, subject);
};

function findLocale(subject: Subject): string | undefined {
  const languageLocales = locales.filter((locale) => locale.startsWith(`${getPrimaryLanguage(subject)}-`));
  return languageLocales.find((locale) => locale.toLowerCase() === subject.lang) ?? languageLocales[0];
}

/** Offers Pexels' crop. For a crop towards a side, it offers the whole image, no larger than needed. */
const offerImage: ProviderApi['offerImage'] = ({ sourceUrl, widthPx = 0, heightPx = 0 }, size, crop) => {
  const { origin, pathname } = new URL(sourceUrl);
  // These parameters are not documented, but every URL of a reply has them.
  const buildCropUrl = (w: number, h: number, fit?: string) =>
    buildUrl(origin, pathname, { auto: 'compress', cs: 'tinysrgb', fit, w: `${w}`, h: `${h}` }).href;
  if (nativeCrops.includes(crop) || widthPx === 0 || heightPx === 0)
    return { kind: 'hotlink', url: buildCropUrl(size.widthPx, size.heightPx, 'crop') };
  const scale = Math.min(1, computeCoverScale({ widthPx, heightPx }, size));
  return { kind: 'fetch', url: buildCropUrl(Math.ceil(widthPx * scale), Math.ceil(heightPx * scale)) };
};

export const pexels: ProviderApi = {
  name: 'pexels',
  title: 'Pexels',
  baseUrl: 'https://api.pexels.com',
  hosts: ['images.pexels.com'],
  // Pexels allows 200 an hour and 20,000 a month. In a month of 31 days, that is 645 a day.
  quota: { perHour: 200, perDay: 645 },
  capability: { ranksByRelevance: true, unmetLicenses: ['public-domain'] },
  identify: async (key) => ({ headers: { authorization: await key() } }),
  listImages: (reply) => listMembers(reply, 'photos'),
  readImage,
  search,
  locateImage: (id) => [`/v1/photos/${id}`],
  offerImage,
  writeCredit: (byCreator) => `Photo${byCreator} on Pexels`,
};
