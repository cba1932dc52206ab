/** The adapter of Openverse (https://api.openverse.org). It searches many collections and needs no key. */

import { type Running, shareWork } from '../../base/concurrency';
import { createExpiringCache } from '../../base/expiring-cache';
import { parseJson } from '../../base/parse';
import { choiceImagesMax } from '../../contract/request-bounds';
import { providerAttemptTimeoutMs } from '../../contract/timeouts';
import { findFreeLicense, nameCreativeCommonsLicense } from '../../images/credit';
import { computeCoverScale } from '../../images/image';
import { ProviderFailure } from '../stock-provider';
import { pickSearchWords, type Subject } from '../subject';
import { buildUrl, getBaseUrl, makeUserAgent, type ProviderApi, type ProviderSettings } from './adapter';
import { searchUntilEnough } from './search-until-enough';
import { fetchJson } from './wire/fetch-json';
import { cleanText, listMembers, readObject, readPageUrl } from './wire/fields';

const thumbnailWidthPx = 600;
/** Most words of a broad search. An image needs only one of them. */
const broadWordsMax = 5;
const aspectRatios = { landscape: 'wide', portrait: 'tall', square: 'square' } as const;
const openverseApi = { name: 'openverse', baseUrl: 'https://api.openverse.org' } as const;
/** The quotas of callers without a key and of registered callers. The API sends them in headers. */
const anonymousQuota = { perMinute: 20, perDay: 200 } as const;
const registeredQuota = { perMinute: 100, perDay: 10_000 } as const;
/** A token is replaced this long before it ends, in milliseconds. */
const tokenReserveMs = 60_000;

/** Reads an image (WordPress/openverse, `api/api/serializers/image_serializers.py`). */
const readImage: ProviderApi['readImage'] = ({ id, title, width, height, creator, url, tags, ...fields }) => {
  // The search excludes sensitive images, and this is a second check.
  const isSensitive = fields['mature'] === true || listMembers(fields['unstable__sensitivity']).length > 0;
  // Most records have no category. Only records with the category of a drawing can be left out.
  const isDrawing =
    fields['filetype'] === 'svg' ||
    /^(illustration|digitized_artwork)$/.test(cleanText(fields['category']) ?? '');
  if (isSensitive || isDrawing || !/^[0-9a-f-]{36}$/.test(cleanText(id) ?? '')) return undefined;
  const [code = '', version] = [fields['license'], fields['license_version']].map(cleanText);
  return {
    id,
    width,
    height,
    sourceUrl: url,
    creator,
    creatorUrl: fields['creator_url'],
    landingUrl: fields['foreign_landing_url'],
    license: findFreeLicense(nameCreativeCommonsLicense(code, version), readPageUrl(fields['license_url'])),
    title,
    tags: listMembers(tags).map((tag) => readObject(tag)['name']),
  };
};

/**
 * Searches for all words, then for some. The API joins the words of `q` with AND. It joins the words of `title`
 * and `tags` with OR, which only its source shows: WordPress/openverse,
 * `api/api/controllers/search_controller.py`.
 */
const search: ProviderApi['search'] = ({ subject, orientation, license }, searchFor, takeRequest) => {
  const filters = {
    // Images are cropped, and pages may be commercial. So the licence has to allow both.
    ...(license === undefined ? { license_type: 'commercial,modification' } : { license: 'cc0,pdm' }),
    aspect_ratio: aspectRatios[orientation],
    size: 'large',
    mature: 'false',
    // Callers without a key cannot ask for more.
    page_size: String(choiceImagesMax),
  };
  const searchImages = (words: Readonly<Partial<Record<'q' | 'title' | 'tags', string>>>, target: Subject) =>
    searchFor('/v1/images/', { ...words, ...filters }, target);
  const searchAllWords = (q: string, target: Subject) => searchImages({ q }, target);
  const someWords = pickSearchWords(subject, broadWordsMax);
  const broaderSearches = [
    () => searchImages({ title: someWords }, subject),
    () => searchImages({ tags: someWords }, subject),
  ];
  const laterSearches = subject.words.length > 1 ? broaderSearches : [];
  return searchUntilEnough(searchAllWords, laterSearches, subject, takeRequest);
};

/** Offers the API's copy of the file. The original may be gone, huge or on plain http. */
const offerImage: ProviderApi['offerImage'] = ({ id, widthPx, heightPx }, size, _crop, baseUrl) => {
  const hasSize = widthPx !== undefined && heightPx !== undefined;
  const neededPx = hasSize ? widthPx * computeCoverScale({ widthPx, heightPx }, size) : Infinity;
  const sizeParameters = Math.ceil(neededPx) <= thumbnailWidthPx ? {} : { full_size: 'true' };
  return { kind: 'fetch', url: buildUrl(baseUrl, `/v1/images/${id}/thumb/`, sizeParameters).href };
};

/**
 * Makes the API of Openverse. Requests have the token of the operator's registered client, if there is one
 * (https://api.openverse.org/v1/#tag/auth).
 */
export function createOpenverseApi(settings: ProviderSettings): ProviderApi {
  const { clock, readKey } = settings;
  const tokenRenewals: Running<string> = new Map();
  const tokens = createExpiringCache<string>(1);
  const readClient = async () => {
    const client = await readKey('openverse').catch(() => {
      throw new ProviderFailure('unavailable', 'The client of openverse could not be read.');
    });
    return client?.trim() ?? '';
  };

  const fetchToken = async (client: string): Promise<string> => {
    // Several requests wait for the token, so the end of one of them must not abort it.
    const signal = AbortSignal.timeout(providerAttemptTimeoutMs);
    const url = buildUrl(getBaseUrl(openverseApi, settings), '/v1/auth_tokens/token/', {});
    const headers = { 'user-agent': makeUserAgent(settings) };
    const form = makeTokenForm(client);
    const reply = readObject(await fetchJson({ provider: 'openverse', url, headers, signal, form }));
    const token = cleanText(reply['access_token']);
    if (token === undefined) throw new ProviderFailure('malformed', 'openverse answered without a token.');
    const lastsMs = Number(reply['expires_in'] ?? 0) * 1_000;
    tokens.set(client, token, clock.nowMs() + lastsMs - tokenReserveMs);
    return token;
  };

  return {
    ...openverseApi,
    title: 'Openverse',
    hosts: ['api.openverse.org'],
    // While the secret cannot be read, no request is sent.
    quota: async () =>
      (await readClient().catch(() => undefined)) === '' ? anonymousQuota : registeredQuota,
    async identify() {
      const client = await readClient();
      if (client === '') return {};
      const token =
        tokens.get(client, clock.nowMs()) ??
        (await shareWork(tokenRenewals, client, () => fetchToken(client)).result);
      return { headers: { authorization: `Bearer ${token}` } };
    },
    listImages: (reply) => listMembers(reply, 'results'),
    readImage,
    search,
    locateImage: (id) => [`/v1/images/${id}/`],
    offerImage,
  };
}

function makeTokenForm(client: string): URLSearchParams {
  // The message of `JSON.parse` would repeat the secret, so it is not used.
  const { client_id, client_secret } = readObject(parseJson(client));
  const id = cleanText(client_id);
  const secret = cleanText(client_secret);
  if (id === undefined || secret === undefined)
    throw new ProviderFailure('unauthorized', 'The client of openverse has no client_id or client_secret.');
  return new URLSearchParams({ client_id: id, client_secret: secret, grant_type: 'client_credentials' });
}
