/** The adapter of Wikimedia Commons (https://commons.wikimedia.org/w/api.php). It needs no key. */

import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { parseJson } from '../../base/parse';
import { findFreeLicense } from '../../images/credit';
import { computeCoverScale } from '../../images/image';
import type { Size } from '../../requests/rendition';
import type { ProviderFailureKind } from '../stock-provider';
import { pickSearchWords, type Subject } from '../subject';
import type { ProviderApi } from './adapter';
import { preferOrientation, searchUntilEnough } from './search-until-enough';
import type { TextResponse } from './wire/fetch-json';
import { cleanText, listMembers, readNumber, readObject, readPageUrl } from './wire/fields';

/** The only widths of copies (https://www.mediawiki.org/wiki/Common_thumbnail_sizes), in pixels. */
const copyWidthsPx = [20, 40, 60, 120, 250, 330, 500, 960, 1280, 1920, 3840] as const;
/** The width that a search asks for. The URLs of the other copies differ only in the number. */
const searchedWidthPx = 1920;
/** Categories about the administration of a file, not about its subject: 60 % of all categories. */
const maintenancePattern =
  /^(?:CC-|GFDL|PD[- ]|Self-published)|\b(?:licen[sc]es?|files?|pages?|images?|media|uploaded|wikidata|templates?|commons|coordinates|panoramio|project|taken (?:on|with)|metadata|copyright|review|uncategori[sz]ed|featured|quality|valued|photographs by)\b/i;
/** Categories of files that the project has awarded. */
const awardPattern = /\b(?:featured|quality|valued) (?:pictures|images)\b/i;
/** The smallest originals that a search accepts. In this syntax, `>` includes the number itself. */
const minSizeFilters = {
  landscape: 'filew:>1600 fileh:>900',
  portrait: 'filew:>900 fileh:>1600',
  square: 'filew:>1080 fileh:>1080',
} as const;
/** Words of the second search. It follows if too few images have all words of the first. */
const fewerWordsMax = 2;
const metadataNames = ['LicenseShortName', 'LicenseUrl', 'Artist', 'ImageDescription', 'Categories'] as const;
const imageParameters = {
  action: 'query',
  format: 'json',
  formatversion: '2',
  prop: 'imageinfo',
  iiprop: 'url|size|mime|extmetadata',
  iiurlwidth: String(searchedWidthPx),
  iiextmetadatafilter: metadataNames.join('|'),
} as const;

/** Reads an image (https://www.mediawiki.org/wiki/API:Imageinfo). */
const readImage: ProviderApi['readImage'] = ({ pageid: id, title, imageinfo }) => {
  const info = readObject(listMembers(imageinfo)[0]);
  const { width, height, mime, url, thumburl, descriptionurl, extmetadata } = info;
  const isImage = /^image\/(?:jpeg|png|webp)$/.test(cleanText(mime) ?? '');
  if (!readNumber(width) || !readNumber(height) || !isImage) return undefined;
  const readMetadata = (name: (typeof metadataNames)[number]) =>
    convertHtmlToText(cleanText(readObject(extmetadata, name)['value']) ?? '');
  const categories = readMetadata('Categories').split('|');
  return {
    id,
    width,
    height,
    sourceUrl: url,
    creator: readMetadata('Artist'),
    landingUrl: descriptionurl,
    license: findFreeLicense(readMetadata('LicenseShortName'), readPageUrl(readMetadata('LicenseUrl'))),
    title: cleanText(title)?.replace(/^File:|\.\w+$/g, ''),
    alt: readMetadata('ImageDescription'),
    tags: categories.filter((category) => !maintenancePattern.test(category)),
    isFeatured: categories.some((category) => awardPattern.test(category)),
    extra: { thumbUrl: thumburl },
  };
};

const search: ProviderApi['search'] = ({ subject, orientation }, searchFor, takeRequest) => {
  const searchAllWords = async (words: string, target: Subject) => {
    const gsrsearch = `${words} filetype:bitmap ${minSizeFilters[orientation]}`;
    // The API scales at most 50 images in one request. Half of them remain after filtering.
    const generator = { generator: 'search', gsrsearch, gsrnamespace: '6', gsrlimit: '50' };
    const images = await searchFor('/w/api.php', { ...imageParameters, ...generator }, target);
    return preferOrientation(images, orientation);
  };
  const isShort = subject.words.length <= fewerWordsMax;
  const searchFewerWords = () => searchAllWords(pickSearchWords(subject, fewerWordsMax), subject);
  return searchUntilEnough(searchAllWords, isShort ? [] : [searchFewerWords], subject, takeRequest);
};

/** Offers a smaller copy that Commons has made, or the original. */
const offerImage: ProviderApi['offerImage'] = ({ widthPx, heightPx, sourceUrl: url, extra }, size) => {
  if (widthPx === undefined || heightPx === undefined) return undefined;
  return { kind: 'fetch', url: chooseCopyUrl({ widthPx, heightPx, url }, extra?.['thumbUrl'], size) };
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

/**
 * Chooses the URL of the smallest copy that covers a size. Copies are narrower than the original. If no copy
 * covers the size, the URL of the original is returned.
 * @param thumbUrl the API's URL for `searchedWidthPx`, or for the original if that is narrower
 */
export function chooseCopyUrl(
  original: Size & { readonly url: string },
  thumbUrl: string | undefined,
  size: Size,
): string {
  const widthPx = Math.ceil(original.widthPx * computeCoverScale(original, size));
  const copyPx = copyWidthsPx.find((candidatePx) => candidatePx >= widthPx);
  if (copyPx === undefined || copyPx >= original.widthPx || thumbUrl === undefined) return original.url;
  return thumbUrl.replace(/\/\d+px-(?=[^/?]*(?:\?|$))/, `/${copyPx}px-`);
}

/** Reads the failure in a reply with status 200 (https://www.mediawiki.org/wiki/API:Errors_and_warnings). */
function readFailure({ status, body }: TextResponse): ProviderFailureKind | undefined {
  const code = cleanText(readObject(status === 200 ? parseJson(body) : undefined, 'error')['code']);
  if (code === undefined) return undefined;
  if (/ratelimit|maxlag|too-busy/.test(code)) return 'throttled';
  return /^internal_api|backend|readonly|timeout/.test(code) ? 'unavailable' : 'rejected';
}

/** Longest HTML that is parsed, in characters. A name or a licence has a few hundred. */
const htmlCharactersMax = 20_000;
/** Elements that do not separate words, such as `<b>`. */
const inlinePattern = /^(?:a|b|bdi|em|i|small|span|strong|sub|sup)$/;

/** Reads the visible text of the first 20,000 characters of HTML, with white space collapsed. */
export function convertHtmlToText(html: string): string {
  const visibleTexts: string[] = [];
  // This is a loop, because elements may be nested deeper than the call stack allows.
  const nodes: (DefaultTreeAdapterTypes.Node | string)[] = [parseFragment(html.slice(0, htmlCharactersMax))];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (typeof node === 'string') visibleTexts.push(node);
    else if ('value' in node) visibleTexts.push(node.value);
    else if ('childNodes' in node) {
      const separator = inlinePattern.test(node.nodeName) ? '' : ' ';
      nodes.push(separator, ...(isVisible(node) ? node.childNodes.toReversed() : []), separator);
    }
  }
  return visibleTexts.join('').replace(/\s+/g, ' ').trim();
}

function isVisible(node: DefaultTreeAdapterTypes.ParentNode): boolean {
  const style = 'attrs' in node ? node.attrs.find(({ name }) => name === 'style')?.value : undefined;
  return !/^(?:script|style)$/.test(node.nodeName) && !/display\s*:\s*none/i.test(style ?? '');
}
