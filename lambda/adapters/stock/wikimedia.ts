/** Wikimedia Commons: free images without a key, for clients that identify themselves (https://commons.wikimedia.org/w/api.php). */

import { type Candidate, canFill, type Size } from '../../domain/image/image';
import type { StockProvider } from '../../ports/stock-provider';
import { keptFor, type ProviderSettings, urlOf, userAgentOf } from './provider-settings';
import { askedStep, stepUrl } from './wikimedia-step';
import { type Diagnosis, fetchJson, parsed, type Reply } from './wire/fetch-json';
import { commonsLicense } from './wire/licences';
import { preferOrientation } from './wire/prefer-orientation';
import { plainWords } from './wire/query-words';
import { list, nameText, positive, present, record, text } from './wire/read-json';
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
const metadata = 'LicenseShortName|LicenseUrl|Artist|Credit|ImageDescription|AttributionRequired';

export function createWikimedia(settings: ProviderSettings): StockProvider {
  const { baseUrl = 'https://commons.wikimedia.org' } = settings;
  return {
    name,
    capability: {
      resize: 'steps',
      pageSizeMax,
      queryCharactersMax,
      safeSearch: false,
      hotlink: 'allowed',
      usageTracking: false,
      // Thumbnails moved to a host of their own in 2026; originals stayed.
      allowedHosts: hostsFor(baseUrl, ['upload.wikimedia.org', 'thumb.wikimedia.org']),
      ...keptFor,
      // For callers with a compliant User-Agent: https://www.mediawiki.org/wiki/Wikimedia_APIs/Rate_limits.
      quota: settings.quota ?? { perMinute: 200 },
    },

    async search({ words, orientation }, signal) {
      const plain = plainWords(words, queryCharactersMax);
      if (plain === '') return [];
      const url = urlOf(baseUrl, '/w/api.php', {
        action: 'query',
        format: 'json',
        formatversion: '2',
        generator: 'search',
        gsrsearch: `${plain} filetype:bitmap ${smallest[orientation]}`,
        gsrnamespace: '6',
        gsrlimit: String(pageSizeMax),
        prop: 'imageinfo',
        iiprop: 'url|size|mime|extmetadata',
        iiurlwidth: String(askedStep),
        iiextmetadatafilter: metadata,
      });
      const headers = { 'user-agent': userAgentOf(settings) };
      const [answer, { htmlToText }] = await Promise.all([
        fetchJson({ provider: name, url, headers, signal, diagnose }),
        // A chunk of its own, so that requests to other providers do not load the HTML parser.
        import('./wire/html-to-text'),
      ]);
      const pages = [...list(record(answer, 'query')['pages'])].sort(byIndex);
      const candidates = pages.flatMap((page) => candidateOf(page, htmlToText));
      return preferOrientation(candidates, orientation);
    },

    sourceFor(candidate, size) {
      const { widthPx, heightPx, sourceUrl: url, extra } = candidate;
      if (widthPx === undefined || heightPx === undefined || !canFill(candidate, size)) return undefined;
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
function candidateOf(page: unknown, htmlToText: (html: string) => string): (Candidate & Size)[] {
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
      extra: thumbUrl === undefined ? undefined : { thumbUrl },
    }),
  ];
}
