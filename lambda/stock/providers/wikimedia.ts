/** The adapter of Wikimedia Commons (https://commons.wikimedia.org/w/api.php). It needs no key. */

import { findFreeLicense } from '../../images/credit';
import { pickSearchWords, type Subject } from '../subject';
import type { ProviderApi } from './adapter';
import { preferOrientation, searchUntilEnough } from './search-until-enough';
import { chooseStepUrl, htmlToText, readCategories, readFailure, searchedStep } from './wikimedia-api';
import { cleanText, listMembers, readObject, readPageUrl, readWhole } from './wire/fields';

/** The smallest originals that a search accepts. In this syntax, `>` includes the number itself. */
const smallest = {
  landscape: 'filew:>1600 fileh:>900',
  portrait: 'filew:>900 fileh:>1600',
  square: 'filew:>1080 fileh:>1080',
} as const;
/** Words of the second search. It follows if too few images have all words of the first. */
const fewerWordsMax = 2;
const metadata = ['LicenseShortName', 'LicenseUrl', 'Artist', 'ImageDescription', 'Categories'] as const;
const imageParameters = {
  action: 'query',
  format: 'json',
  formatversion: '2',
  prop: 'imageinfo',
  iiprop: 'url|size|mime|extmetadata',
  iiurlwidth: String(searchedStep),
  iiextmetadatafilter: metadata.join('|'),
} as const;

/** Reads an image (https://www.mediawiki.org/wiki/API:Imageinfo). */
const readImage: ProviderApi['readImage'] = ({ pageid: id, title, imageinfo }) => {
  const info = readObject(listMembers(imageinfo)[0]);
  const { width, height, mime, url, thumburl, descriptionurl, extmetadata } = info;
  const isImage = /^image\/(?:jpeg|png|webp)$/.test(cleanText(mime) ?? '');
  if (!readWhole(width) || !readWhole(height) || !isImage) return undefined;
  const metadataText = (name: (typeof metadata)[number]) =>
    htmlToText(cleanText(readObject(extmetadata, name)['value']) ?? '');
  return {
    id,
    width,
    height,
    sourceUrl: url,
    creator: metadataText('Artist'),
    landingUrl: descriptionurl,
    license: findFreeLicense(metadataText('LicenseShortName'), readPageUrl(metadataText('LicenseUrl'))),
    title: cleanText(title)?.replace(/^File:|\.\w+$/g, ''),
    alt: metadataText('ImageDescription'),
    ...readCategories(metadataText('Categories').split('|')),
    extra: { thumbUrl: thumburl },
  };
};

const search: ProviderApi['search'] = ({ subject, orientation }, searchFor, takeRequest) => {
  const searchAllWords = async (words: string, target: Subject) => {
    const gsrsearch = `${words} filetype:bitmap ${smallest[orientation]}`;
    // The API scales at most 50 images in one request. Half of them remain after filtering.
    const generator = { generator: 'search', gsrsearch, gsrnamespace: '6', gsrlimit: '50' };
    const images = await searchFor('/w/api.php', { ...imageParameters, ...generator }, target);
    return preferOrientation(images, orientation);
  };
  const isShort = subject.words.length <= fewerWordsMax;
  const broader = isShort ? [] : [() => searchAllWords(pickSearchWords(subject, fewerWordsMax), subject)];
  return searchUntilEnough(searchAllWords, broader, subject, takeRequest);
};

/** Offers a smaller copy that Commons has made, or the original. */
const offerImage: ProviderApi['offerImage'] = ({ widthPx, heightPx, sourceUrl: url, extra }, size) => {
  if (widthPx === undefined || heightPx === undefined) return undefined;
  return { kind: 'fetch', url: chooseStepUrl({ widthPx, heightPx, url }, extra?.['thumbUrl'], size) };
};

export const wikimedia: ProviderApi = {
  name: 'wikimedia',
  title: 'Wikimedia Commons',
  baseUrl: 'https://commons.wikimedia.org',
  // Thumbnails moved to the second host in 2026.
  hosts: ['upload.wikimedia.org', 'thumb.wikimedia.org'],
  // The limit of callers that name a contact: https://www.mediawiki.org/wiki/Wikimedia_APIs/Rate_limits.
  quota: { perMinute: 200 },
  diagnose: readFailure,
  listImages: (reply) => {
    const pages = listMembers(reply, 'query', 'pages').map((page) => readObject(page));
    return pages.sort((a, b) => Number(a['index'] ?? 0) - Number(b['index'] ?? 0));
  },
  readImage,
  search,
  locateImage: (id) => ['/w/api.php', { ...imageParameters, pageids: id }],
  offerImage,
};
