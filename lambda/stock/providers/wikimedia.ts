/** Wikimedia Commons: free images without a key, for clients that identify themselves (https://commons.wikimedia.org/w/api.php). */

import { type Candidate, canFill, type Orientation, orientationOf } from '../../images/image';
import type { Size } from '../../requests/rendition';
import { ProviderFailure, type StockProvider } from '../stock-provider';
import { candidatesMax, keptFor, type ProviderSettings, urlOf, userAgentOf } from './provider-settings';
import { askedStep, stepUrl } from './wikimedia-step';
import { type Diagnosis, fetchJson, parsed, type Reply } from './wire/fetch-json';
import { commonsLicense } from './wire/licences';
import { preferOrientation } from './wire/prefer-orientation';
import { plainContentWords } from './wire/query-words';
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
/** Photographs that Commons has assessed as featured images or as quality images, by their structured data. */
const featured = 'filemime:image/jpeg haswbstatement:P6731=Q63348049|P6731=Q63348069';
/** With fewer featured images than these, all others are looked for too. */
const enough = 6;
/** From so many content words on, a query that finds no featured image is asked without its last word. */
const wordsToShorten = 3;
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
  const ask = async (parameters: Readonly<Record<string, string>>, signal: AbortSignal) => {
    const url = urlOf(baseUrl, '/w/api.php', { ...image, ...parameters });
    const headers = { 'user-agent': userAgentOf(settings) };
    const [answer, { htmlToText }] = await Promise.all([
      fetchJson({ provider: name, url, headers, signal, diagnose }),
      // A chunk of its own, so that requests to other providers do not load the HTML parser.
      import('./wire/html-to-text'),
    ]);
    const pages = [...list(record(answer, 'query')['pages'])].sort(byIndex);
    return pages.flatMap((page) => candidateOf(page, htmlToText));
  };

  const search = async (
    words: readonly string[],
    keywords: string,
    orientation: Orientation,
    signal: AbortSignal,
  ) => {
    return ask(
      {
        generator: 'search',
        gsrsearch: `${words.join(' ')} filetype:bitmap ${keywords}${smallest[orientation]}`,
        gsrnamespace: '6',
        gsrlimit: String(pageSizeMax),
      },
      signal,
    );
  };

  return {
    name,
    capability: {
      resize: 'steps',
      pageSizeMax,
      ranksByRelevance: false,
      searchFilters: [],
      unmetLicenses: [],
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

    async search({ words, orientation }, signal, takeRequest) {
      const content = plainContentWords(words, queryCharactersMax);
      if (content.length === 0) return [];
      const best = (await search(content, `${featured} `, orientation, signal))
        .filter((candidate) => orientationOf(candidate) === orientation)
        .map(asFeatured);
      if (best.length >= enough || !(await takeRequest?.())) return ranked(best);
      const isShortened = best.length === 0 && content.length >= wordsToShorten;
      try {
        const asked = isShortened ? content.slice(0, -1) : content;
        const others = preferOrientation(await search(asked, '', orientation, signal), orientation);
        return ranked([...best, ...others]);
      } catch (error) {
        if (best.length === 0 || !(error instanceof ProviderFailure)) throw error;
        return ranked(best);
      }
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

function asFeatured(candidate: Found): Found {
  return { ...candidate, description: { ...candidate.description, isFeatured: true } };
}

/** Each candidate once, with its place in both answers together. */
function ranked(candidates: readonly Found[]): readonly Found[] {
  const unique = new Map<string, Found>();
  for (const candidate of candidates) if (!unique.has(candidate.id)) unique.set(candidate.id, candidate);
  return [...unique.values()].slice(0, candidatesMax).map((candidate, index) => ({
    ...candidate,
    description: { ...candidate.description, rank: index + 1 },
  }));
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
function candidateOf(page: unknown, htmlToText: (html: string) => string): Found[] {
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
      description: describe(1, {
        title: name,
        alt: plain('ImageDescription'),
        tags: plain('Categories').split('|'),
      }),
      extra: thumbUrl === undefined ? undefined : { thumbUrl },
    }),
  ];
}
