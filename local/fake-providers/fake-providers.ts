/**
 * Defines the fake providers, which let people try everything without API keys and internet. Each has only the parts
 * of the provider's interface that the service's adapter uses.
 */

import type { StockProviderName } from '../../lambda/contract/providers';
import { badKey, type FakeProvider, serveFakeProvider } from './fake-provider';

/** The start of every id of Openverse, before the twelve digits of the photo's number. */
const openverseId = '0f9e1c52-7b3a-4d18-9c64-';

/** Openverse, which needs no key. */
const openverse: FakeProvider = {
  searchPath: '/v1/images/',
  // `q` requires all words, the other fields any of them.
  readWords: (parameters) => parameters.get('q') ?? parameters.get('title') ?? parameters.get('tags'),
  requiresAll: (parameters) => parameters.has('q'),
  countParameter: 'page_size',
  shapes: ['aspect_ratio', { wide: 'landscape', tall: 'portrait', square: 'square' }],
  readNumber: (path) => /^\/v1\/images\/0f9e1c52-7b3a-4d18-9c64-0*(\d+)\/$/.exec(path)?.[1],
  makeResult: (results) => ({ results }),
  imagePath: /^\/v1\/images\/0f9e1c52-7b3a-4d18-9c64-0*(\d+)\/thumb\/$/,
  thumbnailPx: 600,
  makeRecord: ({ number, title, tags, photographer, handle, widthPx, heightPx }) => ({
    id: openverseId + number.padStart(12, '0'),
    title,
    url: `http://images.example/${number}.jpg`,
    foreign_landing_url: `https://images.example/${number}`,
    tags: tags.map((name) => ({ name })),
    creator: photographer,
    creator_url: `https://images.example/@${handle}`,
    license: 'cc0',
    license_version: '1.0',
    license_url: 'https://creativecommons.org/publicdomain/zero/1.0/',
    width: widthPx,
    height: heightPx,
  }),
};

/** Wikimedia Commons, which needs no key but a contact, and names thumbnails by their width. */
const wikimedia: FakeProvider = {
  refuse: (_, { 'user-agent': userAgent = '' }) =>
    /\(.*(@|https?:\/\/).*\)/.test(userAgent) ? undefined : new Response('No contact', { status: 403 }),
  searchPath: '/w/api.php',
  // Without keywords of the search engine, such as `filetype:bitmap`.
  readWords: (parameters) => parameters.get('gsrsearch')?.replace(/\S+:\S+/g, ''),
  requiresAll: () => true,
  countParameter: 'gsrlimit',
  readNumber: (_, parameters) => parameters.get('pageids'),
  makeResult: (pages) => ({ query: { pages } }),
  imagePath: /\/commons\/(?:thumb\/)?a\/a1\/([\w-]+)\.jpg(?:\/(\d+)px-.*)?$/,
  makeRecord({ number, token, title, tags, photographer, handle, widthPx, heightPx }, base, index) {
    const folder = `${base}/wikipedia/commons`;
    const info = {
      width: widthPx,
      height: heightPx,
      mime: 'image/jpeg',
      url: `${folder}/a/a1/${token}.jpg`,
      thumburl: `${folder}/thumb/a/a1/${token}.jpg/1920px-${token}.jpg?utm_source=commons.wikimedia.org`,
      descriptionurl: `https://commons.wikimedia.org/wiki/File:${encodeURIComponent(title)}.jpg`,
      extmetadata: {
        LicenseShortName: { value: 'CC BY-SA 4.0' },
        LicenseUrl: { value: 'https://creativecommons.org/licenses/by-sa/4.0' },
        Artist: { value: `<a href="//commons.wikimedia.org/wiki/User:${handle}">${photographer}</a>` },
        Categories: { value: tags.join('|') },
      },
    };
    return { pageid: Number(number), title: `File:${title}.jpg`, index: index + 1, imageinfo: [info] };
  },
};

/** Unsplash, which crops images and wants to know their use. */
const unsplash: FakeProvider = {
  refuse(_, { authorization = '' }) {
    const key = /^Client-ID (.+)$/.exec(authorization)?.[1];
    return key && key !== badKey ? undefined : new Response('The access token is invalid', { status: 401 });
  },
  searchPath: '/search/photos',
  readWords: (parameters) => parameters.get('query'),
  countParameter: 'per_page',
  shapes: ['orientation', { landscape: 'landscape', portrait: 'portrait', squarish: 'square' }],
  readNumber: (path) => /^\/photos\/(\d+)$/.exec(path)?.[1],
  reportPath: /^\/photos\/\d+\/download$/,
  makeResult: (results) => ({ results }),
  imagePath: /^\/photo-([\w-]+)$/,
  makeRecord: ({ number, token, title, tags, photographer, handle, widthPx, heightPx }, base) => ({
    id: number,
    width: widthPx,
    height: heightPx,
    color: '#6E633A',
    alt_description: title.toLowerCase(),
    tags: tags.map((tag) => ({ title: tag })),
    urls: { raw: `${base}/photo-${token}?ixid=M3w${number}&ixlib=rb-4.0.3` },
    links: {
      html: `https://unsplash.com/photos/${number}`,
      download_location: `${base}/photos/${number}/download?ixid=M3w${number}`,
    },
    user: { name: photographer, links: { html: `https://unsplash.com/@${handle}` } },
  }),
};

/** Pexels, which crops images. `Authorization` holds nothing but its key. */
const pexels: FakeProvider = {
  refuse: (_, { authorization: key = ' ' }) =>
    key === badKey || key.includes(' ') ? new Response('Missing API key', { status: 401 }) : undefined,
  searchPath: '/v1/search',
  readWords: (parameters) => parameters.get('query'),
  countParameter: 'per_page',
  shapes: ['orientation', { landscape: 'landscape', portrait: 'portrait', square: 'square' }],
  readNumber: (path) => /^\/v1\/photos\/(\d+)$/.exec(path)?.[1],
  makeResult: (photos) => ({ photos }),
  imagePath: /^\/photos\/\d+\/pexels-photo-([\w-]+)\.jpeg$/,
  makeRecord: ({ number, token, title, photographer, handle, widthPx, heightPx }, base) => ({
    id: Number(number),
    width: widthPx,
    height: heightPx,
    url: `https://www.pexels.com/photo/${number}/`,
    photographer,
    photographer_url: `https://www.pexels.com/@${handle}`,
    avg_color: '#5C575E',
    alt: title,
    src: { original: `${base}/photos/${number}/pexels-photo-${token}.jpeg` },
  }),
};

/** Pixabay, with its key in the URL and two sizes of each image. */
const pixabay: FakeProvider = {
  refuse(parameters) {
    if (![null, '', badKey].includes(parameters.get('key'))) return undefined;
    return new Response('[ERROR 400] Invalid or missing API key', { status: 400 });
  },
  searchPath: '/api/',
  readWords: (parameters) => parameters.get('q'),
  countParameter: 'per_page',
  shapes: ['orientation', { horizontal: 'landscape', vertical: 'portrait' }],
  readNumber: (_, parameters) => parameters.get('id'),
  makeResult: (hits) => ({ hits }),
  imagePath: /^\/get\/([\w-]+)_(640|1280)\.jpg$/,
  makeRecord: ({ number, token, tags, handle, widthPx, heightPx }, base) => ({
    id: Number(number),
    pageURL: `https://pixabay.com/photos/${number}/`,
    tags: tags.join(', '),
    webformatURL: `${base}/get/${token}_640.jpg`,
    largeImageURL: `${base}/get/${token}_1280.jpg`,
    imageWidth: widthPx,
    imageHeight: heightPx,
    user: handle,
    user_id: Number(number),
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

/**
 * Starts fake providers. Returns their base URLs; `GET {base URL}/_requests` lists the requests so far.
 * @param earlierEndpoints base URLs of the last start, kept if their ports are free
 */
export async function startFakeProviders(
  names: readonly FakeProviderName[],
  earlierEndpoints: Readonly<Record<string, string>> = {},
) {
  const servers = await Promise.all(
    names.map((name) => serveFakeProvider(name, fakeProviders[name], earlierEndpoints[name])),
  );
  const endpoints: Readonly<Record<string, string>> = Object.fromEntries(
    servers.map(({ url }, i) => [names[i], url]),
  );
  return { endpoints, stop: async () => void (await Promise.all(servers.map(({ stop }) => stop()))) };
}
