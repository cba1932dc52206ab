/** Makes the adapter of an API: it sends requests, checks the replies, and maps them to candidates. */

import type { Clock } from '../../base/clock';
import { dropUndefined } from '../../base/drop-undefined';
import { parseUrl } from '../../base/parse';
import type { StockProviderName } from '../../contract/providers';
import type { Crop } from '../../contract/request-bounds';
import type { Candidate } from '../../images/image';
import type { License } from '../../images/record';
import type { Size } from '../../requests/rendition';
import type { SearchPhotos } from '../library/photo-index';
import {
  type Capability,
  type ImageOffer,
  ProviderFailure,
  type Quota,
  type StockProvider,
  type StockQuery,
  type TakeRequest,
} from '../stock-provider';
import type { StockSettings } from '../stock-services';
import type { Subject } from '../subject';
import { chooseHosts } from './hosts';
import { createDescription, type UncheckedDescription } from './wire/description';
import { fetchJson, type JsonRequest } from './wire/fetch-json';
import { cleanText, readImageUrl, readName, readObject, readPageUrl, readWhole } from './wire/fields';

/** The settings of the operator for the adapters. */
export interface ProviderSettings {
  /** Reads the key of a name, if the operator has set one. Rejects when the secret cannot be read. */
  readonly readKey: (name: string) => Promise<string | undefined>;
  /** Contact of the operator of the service, an e-mail address or a URL, for the User-Agent. */
  readonly contact: string;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly endpoints: StockSettings['endpoints'];
  /** The quotas that the operator has agreed on with a provider, in place of those of its documentation. */
  readonly quotas?: Readonly<Partial<Record<StockProviderName, Quota>>>;
  /** Reads the operator's photographs; absent in a process that never searches them. */
  readonly readPhotoIndex?: () => Promise<SearchPhotos>;
}

/** The capability of the sandbox and the library, nothing beyond a plain search. Adapters add to it. */
export const plainCapability: Capability = {
  ranksByRelevance: false,
  unmetLicenses: [],
  allowedHosts: [],
};

type UncheckedField = 'id' | 'width' | 'height' | 'sourceUrl' | 'creator' | 'creatorUrl' | 'landingUrl';
/** An image by the names of this service, unchecked; without a `license` where it may not be cropped. */
interface UncheckedImage extends UncheckedDescription, Readonly<Partial<Record<UncheckedField, unknown>>> {
  readonly license: License | undefined;
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** Parameters of a request; `undefined` ones are left out. */
export type Parameters = Readonly<Record<string, string | undefined>>;
/** Sends one search, and returns the images that can be shown, in the order of the reply. */
type SearchFor = (path: string, parameters: Parameters, subject: Subject) => Promise<readonly Candidate[]>;

/** The API of a provider, as its documentation describes it. */
export interface ProviderApi extends Pick<JsonRequest, 'diagnose'> {
  readonly name: StockProviderName;
  readonly title: string;
  readonly baseUrl: string;
  /** Hosts that its images are on: those of `cropHosts` where they crop. */
  readonly hosts: readonly string[];
  readonly capability?: Partial<Capability>;
  readonly quota: Quota | (() => Promise<Quota>);
  /** Makes headers and parameters that name the caller in every request; `key` reads the provider's key. */
  readonly identify?: (
    key: () => Promise<string>,
    signal: AbortSignal,
  ) => Promise<{ readonly headers?: Readonly<Record<string, string>>; readonly parameters?: Parameters }>;
  readonly listImages: (reply: unknown) => readonly unknown[];
  /** Reads an image of its reply; `undefined` for one that is not shown. */
  readonly readImage: (
    image: Readonly<Record<string, unknown>>,
    subject: Subject | undefined,
  ) => UncheckedImage | undefined;
  /** Offers an image in a size; `baseUrl` is the provider's, or its fake's. */
  readonly offerImage: (
    candidate: Candidate,
    size: Size,
    crop: Crop,
    baseUrl: string,
  ) => ImageOffer | undefined;
  /** The credit that its terms word, with ` by NAME` or nothing; absent for title, name and licence. */
  readonly writeCredit?: (byCreator: string) => string;
  readonly search: (
    query: StockQuery,
    searchFor: SearchFor,
    takeRequest: TakeRequest,
  ) => Promise<readonly Candidate[]>;
  readonly locateImage: (id: string) => readonly [path: string, parameters?: Parameters];
  /** Whether each use is reported, at the URL that an offer names. */
  readonly wantsReports?: true;
}

/** Statuses by which providers say that an image is gone; 400 for an id that is not valid any more. */
const goneStatuses = [400, 404, 410];

/** Returns the function that asks an API for JSON; `undefined` for a reply with a status of absence. */
function createSend(api: ProviderApi, settings: ProviderSettings) {
  const { name, diagnose } = api;
  const baseUrl = chooseBaseUrl(api, settings);
  return async (path: string, parameters: Parameters, signal: AbortSignal, absentOn?: readonly number[]) => {
    const identity = await api.identify?.(() => requireKey(name, settings), signal);
    const headers = { 'user-agent': makeUserAgent(settings), ...identity?.headers };
    const url = buildUrl(baseUrl, path, { ...identity?.parameters, ...parameters });
    return fetchJson({ provider: name, url, headers, signal, absentOn, diagnose });
  };
}

/** Makes the adapter that searches an API. */
export function createAdapter(api: ProviderApi, settings: ProviderSettings): StockProvider {
  const { name, quota, wantsReports } = api;
  const baseUrl = chooseBaseUrl(api, settings);
  const send = createSend(api, settings);
  return {
    name,
    capability: { ...plainCapability, ...api.capability, allowedHosts: chooseHosts(baseUrl, api.hosts) },
    readQuota: async () => settings.quotas?.[name] ?? (typeof quota === 'function' ? quota() : quota),
    async search(query, signal, takeRequest = async () => false) {
      const searchFor: SearchFor = async (path, parameters, subject) =>
        readCandidates(api, api.listImages(await send(path, parameters, signal)), subject);
      return api.search(query, searchFor, takeRequest);
    },
    async findById(id, signal) {
      const [path, parameters = {}] = api.locateImage(id);
      const reply = await send(path, parameters, signal, goneStatuses);
      const [image = reply] = api.listImages(reply);
      return readCandidates(api, [image])[0];
    },
    offerImage: (candidate, size, crop = 'attention') => api.offerImage(candidate, size, crop, baseUrl),
    ...(wantsReports && {
      async reportUse(url, signal) {
        const { origin, pathname, search } = parseUrl(url) ?? {};
        // The key goes with the request, so it goes nowhere else.
        if (origin !== new URL(baseUrl).origin)
          throw new ProviderFailure('rejected', `A use can be reported to ${name} only.`);
        await send(`${pathname}${search}`, {}, signal);
      },
    }),
  };
}

function readCandidates(api: ProviderApi, images: readonly unknown[], subject?: Subject): Candidate[] {
  return images.flatMap((image, index) => {
    const unchecked = api.readImage(readObject(image), subject);
    return (unchecked && readCandidate(api, unchecked, index + 1, subject)) ?? [];
  });
}

/** Checks an image as a candidate; `undefined` without an id, a URL or a licence. */
function readCandidate(
  { title, writeCredit }: ProviderApi,
  image: UncheckedImage,
  rank: number,
  subject?: Subject,
): Candidate | undefined {
  const { license, extra } = image;
  const id = cleanText(typeof image.id === 'number' ? readWhole(image.id)?.toString() : image.id);
  const sourceUrl = readImageUrl(image.sourceUrl);
  if (id === undefined || sourceUrl === undefined || !license) return undefined;
  const creator = readName(image.creator);
  const byCreator = creator === undefined ? '' : ` by ${creator}`;
  const imageTitle = readName(image.title);
  const work = imageTitle === undefined ? 'Image' : `“${imageTitle}”`;
  const creditLine = writeCredit?.(byCreator) ?? `${work}${byCreator}, ${license.name}, via ${title}`;
  const extraUrls = Object.entries(extra ?? {}).map(([name, url]) => [name, readImageUrl(url)] as const);
  return dropUndefined({
    id,
    widthPx: readWhole(image.width),
    heightPx: readWhole(image.height),
    sourceUrl,
    attribution: dropUndefined({
      providerName: title,
      creator,
      creatorUrl: readPageUrl(image.creatorUrl),
      landingUrl: readPageUrl(image.landingUrl),
      license,
      creditLine,
    }),
    description: createDescription(rank, { ...image, title: imageTitle }, subject),
    extra: extra && dropUndefined(Object.fromEntries(extraUrls)),
  });
}

/** Chooses the URL below which a provider is reached, without a trailing slash. */
export function chooseBaseUrl(
  { name, baseUrl }: { readonly name: StockProviderName; readonly baseUrl: string },
  { endpoints }: ProviderSettings,
): string {
  return endpoints[name]?.replace(/(?<!\/)\/+$/, '') || baseUrl;
}

/** Names the service and its operator, in the form that Wikimedia's User-Agent policy asks for. */
export function makeUserAgent({ contact }: Pick<ProviderSettings, 'contact'>): string {
  const reachable = contact.replace(/[^\x20-\x7e]|[()]/g, '');
  return `image-redirect/0.1 (${reachable}) node/${process.versions.node.split('.')[0]}`;
}

/** Builds a URL below the base with parameters. */
export function buildUrl(baseUrl: string, path: string, parameters: Parameters): URL {
  const url = new URL(baseUrl + path);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url;
}

async function requireKey(name: string, { readKey }: Pick<ProviderSettings, 'readKey'>): Promise<string> {
  const value = await readKey(name).catch(() => {
    throw new ProviderFailure('unavailable', `The key of ${name} could not be read.`);
  });
  const key = value?.trim() ?? '';
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new ProviderFailure('unauthorized', `${name} needs a key, and no usable one is set.`);
}
