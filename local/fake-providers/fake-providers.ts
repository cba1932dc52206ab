/**
 * The fake providers, which let people try everything without API keys and internet. Their interfaces have only
 * the parts that the service's adapters use.
 */

import type { StockProviderName } from '../../lambda/contract/providers';
import type { Listening } from '../http';
import { badKey, type FakeProvider, makeJsonReply, makeTextReply, serveFakeProvider } from './fake-provider';

/** The start of every id of Openverse, before the twelve digits of the photo's number. */
const openverseId = '0f9e1c52-7b3a-4d18-9c64-';

/** Openverse, which needs no key. */
const openverse: FakeProvider = {
  searchPath: '/v1/images/',
  // `q` requires all words, the other fields any of them.
  readWords: (parameters) => parameters.get('q') ?? parameters.get('title') ?? parameters.get('tags'),
  requiresAll: (parameters) => parameters.has('q'),
  countIn: 'page_size',
  shapes: ['aspect_ratio', { wide: 'landscape', tall: 'portrait', square: 'square' }],
  readNumber: (path) => /^\/v1\/images\/0f9e1c52-7b3a-4d18-9c64-0*(\d+)\/$/.exec(path)?.[1],
  wrapRecords: (results) => ({ result_count: results.length, page_size: 20, page: 1, results }),
  imageAt: /^\/v1\/images\/0f9e1c52-7b3a-4d18-9c64-0*(\d+)\/thumb\/$/,
  thumbnailPx: 600,
  describePhoto: ({ number, title, tags, photographer, handle, widthPx, heightPx }) => ({
    id: openverseId + number.padStart(12, '0'),
    title,
    url: `http://images.example/${number}.jpg`,
    foreign_landing_url: `https://images.example/${number}`,
    tags: tags.map((name) => ({ name, accuracy: null })),
    creator: photographer,
    creator_url: `https://images.example/@${handle}`,
    license: 'cc0',
    license_version: '1.0',
    license_url: 'https://creativecommons.org/publicdomain/zero/1.0/',
    category: null,
    filetype: 'jpg',
    width: widthPx,
    height: heightPx,
    mature: false,
    unstable__sensitivity: [],
  }),
};

/** Wikimedia Commons, which needs no key but a contact, and names thumbnails by their width. */
const wikimedia: FakeProvider = {
  refusal: ({ headers: { 'user-agent': userAgent = '' } }) =>
    /\(.*(@|https?:\/\/).*\)/.test(userAgent)
      ? undefined
      : makeTextReply('Please set a user-agent and respect our robot policy.', 403),
  searchPath: '/w/api.php',
  // Without keywords of the search engine, such as `filetype:bitmap`.
  readWords: (parameters) => parameters.get('gsrsearch')?.replace(/\S+:\S+/g, ''),
  requiresAll: () => true,
  countIn: 'gsrlimit',
  readNumber: (_, parameters) => parameters.get('pageids'),
  wrapRecords: (pages) => ({ batchcomplete: true, query: { pages } }),
  imageAt: /\/commons\/(?:thumb\/)?a\/a1\/([\w-]+)\.jpg(?:\/(\d+)px-.*)?$/,
  describePhoto({ number, token, title, tags, photographer, handle, widthPx, heightPx }, base, index) {
    const folder = `${base}/wikipedia/commons`;
    const info = {
      width: widthPx,
      height: heightPx,
      mime: 'image/jpeg',
      url: `${folder}/a/a1/${token}.jpg`,
      thumburl: `${folder}/thumb/a/a1/${token}.jpg/1920px-${token}.jpg?utm_source=commons.wikimedia.org`,
      thumbwidth: 1_920,
      descriptionurl: `https://commons.wikimedia.org/wiki/File:${encodeURIComponent(title)}.jpg`,
      extmetadata: {
        LicenseShortName: { value: 'CC BY-SA 4.0' },
        LicenseUrl: { value: 'https://creativecommons.org/licenses/by-sa/4.0' },
        Artist: { value: `<a href="//commons.wikimedia.org/wiki/User:${handle}">${photographer}</a>` },
        Categories: { value: tags.join('|') },
      },
    };
    const pageid = Number(number);
    return { pageid, ns: 6, title: `File:${title}.jpg`, index: index + 1, imageinfo: [info] };
  },
};

/** Unsplash, which crops images and wants to know their use. */
const unsplash: FakeProvider = {
  keyIn: 'authorization',
  refusal({ headers: { authorization = '' } }) {
    const key = /^Client-ID (.+)$/.exec(authorization)?.[1];
    if (key !== undefined && key !== badKey) return undefined;
    return makeJsonReply({ errors: ['OAuth error: The access token is invalid'] }, 401);
  },
  searchPath: '/search/photos',
  readWords: (parameters) => parameters.get('query'),
  countIn: 'per_page',
  shapes: ['orientation', { landscape: 'landscape', portrait: 'portrait', squarish: 'square' }],
  readNumber: (path) => /^\/photos\/(\d+)$/.exec(path)?.[1],
  reportAt: /^\/photos\/\d+\/download$/,
  wrapRecords: (results) => ({ total: 10_847, results }),
  imageAt: /^\/photo-([\w-]+)$/,
  describePhoto({ number, token, title, tags, photographer, handle, widthPx, heightPx }, base) {
    const raw = `${base}/photo-${token}?ixid=M3w${number}&ixlib=rb-4.0.3`;
    return {
      id: number,
      width: widthPx,
      height: heightPx,
      color: '#6E633A',
      description: null,
      alt_description: title.toLowerCase(),
      tags: tags.map((tag) => ({ type: 'search', title: tag })),
      urls: { raw, full: `${raw}&q=85&fm=jpg`, small: `${raw}&w=400`, thumb: `${raw}&w=200` },
      links: {
        html: `https://unsplash.com/photos/${number}`,
        download_location: `${base}/photos/${number}/download?ixid=M3w${number}`,
      },
      user: { name: photographer, username: handle, links: { html: `https://unsplash.com/@${handle}` } },
    };
  },
};

/** Pexels, which crops images. `Authorization` holds nothing but its key. */
const pexels: FakeProvider = {
  keyIn: 'authorization',
  refusal({ headers: { authorization: key, 'user-agent': userAgent } }) {
    if (!userAgent) return makeTextReply('Forbidden', 403);
    return !key || key === badKey || key.includes(' ') ? makeTextReply('Missing API key', 401) : undefined;
  },
  searchPath: '/v1/search',
  readWords: (parameters) => parameters.get('query'),
  countIn: 'per_page',
  shapes: ['orientation', { landscape: 'landscape', portrait: 'portrait', square: 'square' }],
  readNumber: (path) => /^\/v1\/photos\/(\d+)$/.exec(path)?.[1],
  wrapRecords: (photos) => ({ page: 1, total_results: 8_000, photos }),
  imageAt: /^\/photos\/\d+\/pexels-photo-([\w-]+)\.jpeg$/,
  describePhoto({ number, token, title, photographer, handle, widthPx, heightPx }, base) {
    const original = `${base}/photos/${number}/pexels-photo-${token}.jpeg`;
    const sized = (query: string) => `${original}?auto=compress&cs=tinysrgb&${query}`;
    return {
      id: Number(number),
      width: widthPx,
      height: heightPx,
      url: `https://www.pexels.com/photo/${number}/`,
      photographer,
      photographer_url: `https://www.pexels.com/@${handle}`,
      avg_color: '#5C575E',
      alt: title,
      src: { original, large: sized('h=650&w=940'), tiny: sized('dpr=1&fit=crop&h=200&w=280') },
    };
  },
};

/** Pixabay, with its key in the URL and two sizes of each image. */
const pixabay: FakeProvider = {
  keyIn: 'key',
  refusal({ parameters }) {
    if (![null, '', badKey].includes(parameters.get('key'))) return undefined;
    return makeTextReply('[ERROR 400] Invalid or missing API key (https://pixabay.com/api/docs/).', 400);
  },
  searchPath: '/api/',
  readWords: (parameters) => parameters.get('q'),
  countIn: 'per_page',
  shapes: ['orientation', { horizontal: 'landscape', vertical: 'portrait' }],
  readNumber: (_, parameters) => parameters.get('id'),
  wrapRecords: (hits) => ({ total: 4_692, totalHits: 500, hits }),
  imageAt: /^\/get\/([\w-]+)_(640|1280)\.jpg$/,
  describePhoto: ({ number, token, tags, handle, widthPx, heightPx }, base) => ({
    id: Number(number),
    pageURL: `https://pixabay.com/photos/${number}/`,
    type: 'photo',
    tags: tags.join(', '),
    webformatURL: `${base}/get/${token}_640.jpg`,
    largeImageURL: `${base}/get/${token}_1280.jpg`,
    imageWidth: widthPx,
    imageHeight: heightPx,
    user: handle,
    user_id: Number(number),
    isAiGenerated: false,
    isGRated: true,
    isLowQuality: false,
  }),
};

/** A fake provider for every provider that the service asks over HTTP. */
const fakeProviders = {
  openverse,
  wikimedia,
  unsplash,
  pexels,
  pixabay,
} satisfies Readonly<Record<Exclude<StockProviderName, 'sandbox' | 'library'>, FakeProvider>>;

export type FakeProviderName = keyof typeof fakeProviders;

/** Returns true if a provider has a fake one. */
export function hasFakeProvider(name: StockProviderName): name is FakeProviderName {
  return Object.hasOwn(fakeProviders, name);
}

interface StartedFakeProviders {
  /** Base URLs by provider. `GET {base URL}/_requests` lists the requests so far. */
  readonly endpoints: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Starts fake providers. @param before base URLs of the last start, used again if their ports are free */
export async function startFakeProviders(
  names: readonly FakeProviderName[],
  before: StartedFakeProviders['endpoints'] = {},
): Promise<StartedFakeProviders> {
  const served = new Map<string, Listening>();
  for (const name of names)
    served.set(name, await serveFakeProvider(name, fakeProviders[name], before[name]));
  return {
    endpoints: Object.fromEntries([...served].map(([name, { url }]) => [name, url])),
    stop: async () => void (await Promise.all([...served.values()].map(({ stop }) => stop()))),
  };
}
