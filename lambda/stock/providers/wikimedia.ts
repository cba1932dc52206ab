/** Wikimedia Commons: free images without a key, for clients that identify themselves (https://commons.wikimedia.org/w/api.php). */

import { type Candidate, coverScale, type Orientation } from '../../images/image';
import type { Size } from '../../requests/rendition';
import type { StockProvider } from '../stock-provider';
import { type Subject, searchWords } from '../understand';
import { hostsFor } from './hosts';
import { createRequestJson, type ProviderSettings, urlOf, usualCapability } from './provider-settings';
import { type Diagnosis, parsed, type Reply } from './wire/fetch-json';
import { htmlToText } from './wire/html-to-text';
import { climb } from './wire/ladder';
import { commonsLicense } from './wire/licences';
import { preferOrientation } from './wire/prefer-orientation';
import { candidateIn, list, nameText, positive, record, text } from './wire/read-json';
import { imageUrl, pageUrl } from './wire/urls';

const name = 'wikimedia';
/** The API scales at most 50 images in one request; half of these remain after filtering. */
const pageSizeMax = 50;
/** Smallest originals that are looked for; `>` includes the number itself. */
const smallest = {
  landscape: 'filew:>1600 fileh:>900',
  portrait: 'filew:>900 fileh:>1600',
  square: 'filew:>1080 fileh:>1080',
} as const;
const mediaTypes = ['image/jpeg', 'image/png', 'image/webp'];
const metadata = 'LicenseShortName|LicenseUrl|Artist|Credit|ImageDescription|Categories|AttributionRequired';
/** Words that an image has to have all of where too few have those of the first search. */
const fewerWordsMax = 2;
/** Categories that say how a file is kept, not what it shows; some 60 % of all. */
const maintenance =
  /^(?:CC-|GFDL|PD[- ]|Self-published)|\b(?:licen[sc]es?|files?|pages?|images?|media|uploaded|wikidata|templates?|commons|coordinates|panoramio|project|taken (?:on|with)|metadata|copyright|review|uncategori[sz]ed|featured|quality|valued|photographs by)\b/i;
const assessed = /\b(?:featured|quality|valued) (?:pictures|images)\b/i;
/** https://www.mediawiki.org/wiki/Common_thumbnail_sizes; every other width is answered with 400. */
const steps = [20, 40, 60, 120, 250, 330, 500, 960, 1280, 1920, 3840] as const;

/** The step that a search names, from whose URL the others differ in the number alone. */
const searchedStep = 1920;
const image = {
  action: 'query',
  format: 'json',
  formatversion: '2',
  prop: 'imageinfo',
  iiprop: 'url|size|mime|extmetadata',
  iiurlwidth: String(searchedStep),
  iiextmetadatafilter: metadata,
} as const;

/** The service makes renditions of its copies, which come in a few widths. */
export function createWikimedia(settings: ProviderSettings): StockProvider {
  const { baseUrl = 'https://commons.wikimedia.org' } = settings;
  const requestJson = createRequestJson(name, settings, { diagnose });

  /** Candidates on the pages of an answer, in its order. */
  const candidatesFor = async (
    parameters: Readonly<Record<string, string>>,
    signal: AbortSignal,
    subject?: Subject,
  ) => {
    const url = urlOf(baseUrl, '/w/api.php', { ...image, ...parameters });
    const answer = await requestJson(url, signal);
    const pages = [...list(record(answer, 'query')['pages'])].sort(byIndex);
    return pages.flatMap((page, index) => candidateOf(page, index + 1, subject));
  };

  const search = async (
    words: string,
    orientation: Orientation,
    subject: Subject,
    signal: AbortSignal,
  ): Promise<readonly Candidate[]> => {
    const candidates = await candidatesFor(
      {
        generator: 'search',
        gsrsearch: `${words} filetype:bitmap ${smallest[orientation]}`,
        gsrnamespace: '6',
        gsrlimit: String(pageSizeMax),
      },
      signal,
      subject,
    );
    return preferOrientation(candidates, orientation);
  };

  return {
    name,
    capability: {
      ...usualCapability,
      // Thumbnails moved to a host of their own in 2026; originals stayed.
      allowedHosts: hostsFor(baseUrl, ['upload.wikimedia.org', 'thumb.wikimedia.org']),
      // For callers with a compliant User-Agent: https://www.mediawiki.org/wiki/Wikimedia_APIs/Rate_limits.
      quota: settings.quota ?? { perMinute: 200 },
    },

    async search({ subject, orientation }, signal, takeRequest) {
      const strict = (words: string, of: Subject) => search(words, orientation, of, signal);
      const isShort = subject.words.length <= fewerWordsMax;
      const broader = isShort ? [] : [() => strict(searchWords(subject, fewerWordsMax), subject)];
      return climb({ strict, broader }, subject, takeRequest);
    },

    async byId(id, signal) {
      return (await candidatesFor({ pageids: id }, signal))[0];
    },

    sourceFor(candidate, size) {
      const { widthPx, heightPx, sourceUrl: url, extra } = candidate;
      if (widthPx === undefined || heightPx === undefined) return undefined;
      return { kind: 'fetch', url: stepUrl({ widthPx, heightPx, url }, extra?.['thumbUrl'], size) };
    },
  };
}

/** Errors come with status 200, in the body. */
function diagnose(reply: Reply): Diagnosis {
  const code = reply.status === 200 ? text(record(parsed(reply), 'error')['code']) : undefined;
  if (code === undefined) return undefined;
  if (/ratelimit|maxlag|too-busy/.test(code)) return { kind: 'throttled' };
  return { kind: /^internal_api|backend|readonly|timeout/.test(code) ? 'unavailable' : 'rejected' };
}

function byIndex(a: unknown, b: unknown): number {
  return Number(record(a)['index'] ?? 0) - Number(record(b)['index'] ?? 0);
}

/** Response: https://www.mediawiki.org/wiki/API:Imageinfo. */
function candidateOf(page: unknown, rank: number, subject: Subject | undefined): Candidate[] {
  const { pageid, title, imageinfo } = record(page);
  const info = record(list(imageinfo)[0]);
  const plain = (key: string) => htmlToText(text(record(info, 'extmetadata', key)['value']) ?? '');
  const license = commonsLicense(plain('LicenseShortName'), pageUrl(plain('LicenseUrl')));
  if (!mediaTypes.includes(String(info['mime'])) || !positive(info['width']) || !positive(info['height']))
    return [];
  const creator = nameText(plain('Artist'));
  const name = nameText(text(title)?.replace(/^File:|\.\w+$/g, '')) ?? 'Image';
  const thumbUrl = imageUrl(info['thumburl']);
  const categories = plain('Categories').split('|');
  return candidateIn(
    {
      id: positive(pageid)?.toString(),
      width: info['width'],
      height: info['height'],
      sourceUrl: imageUrl(info['url']),
      providerName: 'Wikimedia Commons',
      creator,
      landingUrl: pageUrl(info['descriptionurl']),
      license,
      creditLine: `“${name}”${creator ? ` by ${creator}` : ''}, ${license?.name}, via Wikimedia Commons`,
      title: name,
      alt: plain('ImageDescription'),
      tags: categories.filter((category) => !maintenance.test(category)),
      isFeatured: categories.some((category) => assessed.test(category)),
      extra: thumbUrl === undefined ? undefined : { thumbUrl },
    },
    rank,
    subject,
  );
}

/**
 * The smallest copy that covers a size. A step as wide as the original or wider does not exist: the original itself is
 * taken then, which is exempt from the steps.
 * @param thumbUrl what the API named for `searchedStep`; it is the original where that is narrower
 */
export function stepUrl(
  original: Size & { readonly url: string },
  thumbUrl: string | undefined,
  wanted: Size,
): string {
  const widthPx = Math.ceil(original.widthPx * coverScale(original, wanted));
  const step = steps.find((each) => each >= widthPx);
  if (step === undefined || step >= original.widthPx || thumbUrl === undefined) return original.url;
  const segment = /\/\d+px-(?=[^/]*$)/;
  const { origin, pathname, search } = new URL(thumbUrl);
  if (!segment.test(pathname)) return step <= searchedStep ? thumbUrl : original.url;
  return `${origin}${pathname.replace(segment, `/${step}px-`)}${search}`;
}
