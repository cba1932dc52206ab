/** The adapter of Pixabay (https://pixabay.com/api/docs/). It needs a key, and it forbids hotlinks. */

import { cutToLength } from '../../base/text';
import { dayMs } from '../../base/window';
import { choiceImagesMax } from '../../contract/request-bounds';
import { computeCoverScale } from '../../images/image';
import { spellColor } from '../color';
import { getPrimaryLanguage, type Subject } from '../subject';
import type { ProviderApi } from './adapter';
import { preferOrientation } from './search-until-enough';
import { cleanText, listMembers, readImageUrl, readName, readNumber, readPageUrl } from './wire/fields';

const license = {
  id: 'pixabay',
  name: 'Pixabay Content License',
  url: 'https://pixabay.com/service/license-summary/',
};
const queryCharactersMax = 100;
const languageCodes = 'cs da de en es fr id it hu nl no pl pt ro sk fi sv tr vi th bg ru el ja ko zh'.split(
  ' ',
);
const orientations = { landscape: 'horizontal', portrait: 'vertical', square: 'all' } as const;
const minSizes = { landscape: [1280, 720], portrait: [720, 1280], square: [900, 900] } as const;
/** The fields with URLs, and the longest side of each in pixels. Only approved keys get all fields. */
const renditionFields = [
  ['webformatURL', 640],
  ['largeImageURL', 1280],
  ['fullHDURL', 1920],
  ['imageURL', Number.POSITIVE_INFINITY],
] as const;

/** Reads an image. AI images are left out, because they are for `provider=ai`. */
const readImage: ProviderApi['readImage'] = (
  { id, imageWidth: width, imageHeight: height, user, user_id, tags, ...fields },
  subject,
) => {
  const isUnsuitable =
    fields['isGRated'] === false || fields['isLowQuality'] === true || fields['isAiGenerated'] === true;
  if (isUnsuitable || !readNumber(width) || !readNumber(height)) return undefined;
  const userName = readName(user);
  const userNumber = readNumber(user_id);
  const profileUrl = `https://pixabay.com/users/${encodeURIComponent(userName ?? '')}-${userNumber}/`;
  return {
    id,
    width,
    height,
    sourceUrl: renditionFields.map(([field]) => fields[field]).findLast(readImageUrl),
    creator: user,
    creatorUrl: readPageUrl(fields['userURL']) ?? (userName && userNumber && profileUrl),
    landingUrl: fields['pageURL'],
    license,
    lang: (subject && findLanguage(subject)) ?? 'en',
    tags: cleanText(tags)?.split(',') ?? [],
    extra: Object.fromEntries(renditionFields.map(([field]) => [field, fields[field]])),
  };
};

const search: ProviderApi['search'] = async ({ subject, orientation, color }, searchFor) => {
  const [minWidth, minHeight] = minSizes[orientation];
  const parameters = {
    q: cutToLength(subject.cleaned, queryCharactersMax, ''),
    lang: findLanguage(subject),
    image_type: 'photo',
    safesearch: 'true',
    orientation: orientations[orientation],
    min_width: String(minWidth),
    min_height: String(minHeight),
    colors: spellColor(color, { purple: 'lilac' }),
    per_page: orientation === 'square' ? '100' : String(2 * choiceImagesMax),
  };
  const photos = await searchFor('/api/', parameters, subject);
  return preferOrientation(photos, orientation).slice(0, choiceImagesMax);
};

function findLanguage(subject: Subject): string | undefined {
  return languageCodes.find((code) => code === getPrimaryLanguage(subject));
}

/** Offers the smallest rendition that need not be enlarged, or else the largest. */
const offerImage: ProviderApi['offerImage'] = ({ widthPx = 0, heightPx = 0, extra = {} }, size) => {
  const renditionUrls = renditionFields.flatMap(([field, longestPx]) => {
    const url = extra[field];
    const scale = Math.min(1, longestPx / Math.max(widthPx, heightPx));
    return url === undefined ? [] : [{ url, widthPx: widthPx * scale, heightPx: heightPx * scale }];
  });
  const rendition =
    renditionUrls.find((candidate) => computeCoverScale(candidate, size) <= 1) ?? renditionUrls.at(-1);
  return rendition && { kind: 'fetch', url: rendition.url };
};

export const pixabay: ProviderApi = {
  name: 'pixabay',
  title: 'Pixabay',
  baseUrl: 'https://pixabay.com',
  hosts: ['pixabay.com', 'cdn.pixabay.com'],
  quota: { perMinute: 100 },
  capability: { unmetLicenses: ['public-domain'], urlTtlMs: dayMs },
  identify: async (key) => ({ parameters: { key: await key() } }),
  // For a wrong key, the status is 400 with a line of text.
  diagnose: ({ status, body }) => (status === 400 && /API key/i.test(body) ? 'unauthorized' : undefined),
  listImages: (reply) => listMembers(reply, 'hits'),
  readImage,
  search,
  locateImage: (id) => ['/api/', { id }],
  offerImage,
  writeCredit: (byCreator) => `Image${byCreator} from Pixabay`,
};
