/** Wikimedia Commons: free images without a key, for clients that identify themselves (https://commons.wikimedia.org/w/api.php). */

import { type Candidate, canFill, type Orientation } from '../../images/image';
import type { Size } from '../../requests/rendition';
import type { StockProvider } from '../stock-provider';
import { type Subject, searchWords } from '../understand';
import { keptFor, type ProviderSettings, urlOf, userAgentOf } from './provider-settings';
import { askedStep, stepUrl } from './wikimedia-step';
import { type Diagnosis, fetchJson, parsed, type Reply } from './wire/fetch-json';
import { climb } from './wire/ladder';
import { commonsLicense } from './wire/licences';
import { preferOrientation } from './wire/prefer-orientation';
import { describe, list, nameText, positive, present, record, text } from './wire/read-json';
import { hostsFor, imageUrl, pageUrl } from './wire/urls';

const name = 'wikimedia';
/** The limit is 300 characters without keywords; the keywords below take some room as well. */
const queryCharactersMax = 200;
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
const image = {
  action: 'query',
  format: 'json',
  formatversion: '2',
  prop: 'imageinfo',
  iiprop: 'url|size|mime|extmetadata',
  iiurlwidth: String(askedStep),
  iiextmetadatafilter: metadata,
} as const;

export function createWikimedia(settings: ProviderSettings): StockProvider {
  const { baseUrl = 'https://commons.wikimedia.org' } = settings;

  /** Candidates on the pages of an answer, in its order. */
  const ask = async (
    parameters: Readonly<Record<string, string>>,
    signal: AbortSignal,
    subject?: Subject,
  ) => {
    const url = urlOf(baseUrl, '/w/api.php', { ...image, ...parameters });
    const headers = { 'user-agent': userAgentOf(settings) };
    const [answer, { htmlToText }] = await Promise.all([
      fetchJson({ provider: name, url, headers, signal, diagnose }),
      // A chunk of its own, so that requests to other providers do not load the HTML parser.
      import('./wire/html-to-text'),
    ]);
    const pages = [...list(record(answer, 'query')['pages'])].sort(byIndex);
    return pages.flatMap((page, index) => candidateOf(page, index + 1, htmlToText, subject));
  };

  const search = async (
    words: string,
    orientation: Orientation,
    subject: Subject,
    signal: AbortSignal,
  ): Promise<readonly Found[]> => {
    const found = await ask(
      {
        generator: 'search',
        gsrsearch: `${words} filetype:bitmap ${smallest[orientation]}`,
        gsrnamespace: '6',
        gsrlimit: String(pageSizeMax),
      },
      signal,
      subject,
    );
    return preferOrientation(found, orientation);
  };

  return {
    name,
    capability: {
      resize: 'steps',
      pageSizeMax,
      ranksByRelevance: false,
      requiresAllWords: true,
      searchFilters: [],
      unmetLicenses: [],
      queryCharactersMax,
      safeSearch: false,
      usageTracking: false,
      // Thumbnails moved to a host of their own in 2026; originals stayed.
      allowedHosts: hostsFor(baseUrl, ['upload.wikimedia.org', 'thumb.wikimedia.org']),
      ...keptFor,
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
      return (await ask({ pageids: id }, signal))[0];
    },

    sourceFor(candidate, size) {
      const { widthPx, heightPx, sourceUrl: url, extra } = candidate;
      if (widthPx === undefined || heightPx === undefined || !canFill(candidate, size)) return undefined;
      return { kind: 'fetch', url: stepUrl({ widthPx, heightPx, url }, extra?.['thumbUrl'], size) };
    },
  };
}

type Found = Candidate & Size;

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
function candidateOf(
  page: unknown,
  rank: number,
  htmlToText: (html: string) => string,
  subject: Subject | undefined,
): Found[] {
  const { pageid, title, imageinfo } = record(page);
  const info = record(list(imageinfo)[0]);
  const widthPx = positive(info['width']);
  const heightPx = positive(info['height']);
  const sourceUrl = imageUrl(info['url']);
  const plain = (key: string) => htmlToText(text(record(info, 'extmetadata', key)['value']) ?? '');
  const license = commonsLicense(plain('LicenseShortName'), pageUrl(plain('LicenseUrl')));
  if (positive(pageid) === undefined || !widthPx || !heightPx || !sourceUrl || !license) return [];
  if (!mediaTypes.includes(String(info['mime']))) return [];
  const creator = nameText(plain('Artist'));
  const name = nameText(text(title)?.replace(/^File:|\.\w+$/g, '')) ?? 'Image';
  const thumbUrl = imageUrl(info['thumburl']);
  const categories = plain('Categories').split('|');
  return [
    present({
      id: String(pageid),
      widthPx,
      heightPx,
      sourceUrl,
      attribution: present({
        providerName: 'Wikimedia Commons',
        creator,
        landingUrl: pageUrl(info['descriptionurl']),
        license,
        creditLine: `“${name}”${creator ? ` by ${creator}` : ''}, ${license.name}, via Wikimedia Commons`,
      }),
      description: describe(
        rank,
        {
          title: name,
          alt: plain('ImageDescription'),
          tags: categories.filter((category) => !maintenance.test(category)),
          isFeatured: categories.some((category) => assessed.test(category)),
        },
        subject,
      ),
      extra: thumbUrl === undefined ? undefined : { thumbUrl },
    }),
  ];
}
