/** Makes the adapter of an API. The adapter sends requests, checks the replies and maps them to candidates. */

import type { Clock } from '../../base/clock';
import { dropUndefined } from '../../base/drop-undefined';
import { parseUrl } from '../../base/parse';
import type { StockProviderName } from '../../contract/providers';
import type { Crop } from '../../contract/request-bounds';
import { isLoopbackHost } from '../../images/allowed-url';
import type { Candidate } from '../../images/image';
import type { License } from '../../images/record';
import type { Size } from '../../requests/rendition';
import type { PhotoSearch } from '../library/photo-index';
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
import { makeDescription, type UncheckedDescription } from './wire/description';
import { fetchJson, type JsonRequest } from './wire/fetch-json';
import { cleanText, readImageUrl, readName, readNumber, readObject, readPageUrl } from './wire/fields';

/** The operator's settings of the adapters. */
export interface ProviderSettings {
  /** Reads the key of a provider; `undefined` if none is set. Rejects when the secret cannot be read. */
  readonly readKey: (name: string) => Promise<string | undefined>;
  /** E-mail address or URL of the operator, for the User-Agent. */
  readonly contact: string;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly endpoints: StockSettings['endpoints'];
  /** The quotas that the operator has agreed on with a provider. They replace the documented quotas. */
  readonly quotas?: Readonly<Partial<Record<StockProviderName, Quota>>>;
  /** Reads the operator's photographs; absent in a process that never searches them. */
  readonly readPhotoIndex?: () => Promise<PhotoSearch>;
}

/** The capability of a plain search, such as the sandbox's. Adapters add to it. */
export const plainCapability: Capability = {
  ranksByRelevance: false,
  unmetLicenses: [],
  allowedHosts: [],
};

type UncheckedField = 'id' | 'width' | 'height' | 'sourceUrl' | 'creator' | 'creatorUrl' | 'landingUrl';
/** An unchecked image, with the names of this service. It has no `license` if it must not be cropped. */
interface UncheckedImage extends UncheckedDescription, Readonly<Partial<Record<UncheckedField, unknown>>> {
  readonly license: License | undefined;
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** Parameters of a request. Those with `undefined` are left out. */
export type Parameters = Readonly<Record<string, string | undefined>>;
/** Sends one search. Returns the images that can be shown, in the order of the reply. */
type SearchFor = (path: string, parameters: Parameters, subject: Subject) => Promise<readonly Candidate[]>;

/** The API of a provider, as its documentation describes it. */
export interface ProviderApi extends Pick<JsonRequest, 'diagnose'> {
  readonly name: StockProviderName;
  readonly title: string;
  readonly baseUrl: string;
  /** Hosts of its images. */
  readonly hosts: readonly string[];
  readonly capability?: Partial<Capability>;
  readonly quota: Quota | (() => Promise<Quota>);
  /** Makes the headers and parameters that identify the caller. @param key reads the provider's key */
  readonly identify?: (
    key: () => Promise<string>,
  ) => Promise<{ readonly headers?: Readonly<Record<string, string>>; readonly parameters?: Parameters }>;
  readonly listImages: (reply: unknown) => readonly unknown[];
  /** Reads an image of a reply; `undefined` for an image that must not be shown. */
  readonly readImage: (
    image: Readonly<Record<string, unknown>>,
    subject: Subject | undefined,
  ) => UncheckedImage | undefined;
  /** Offers an image in a size. @param baseUrl the URL of the provider, or of its fake */
  readonly offerImage: (
    candidate: Candidate,
    size: Size,
    crop: Crop,
    baseUrl: string,
  ) => ImageOffer | undefined;
  /** Writes the credit that its terms demand, with ` by NAME` or nothing; absent for the usual credit. */
  readonly writeCredit?: (byCreator: string) => string;
  readonly search: (
    query: StockQuery,
    searchFor: SearchFor,
    takeRequest: TakeRequest,
  ) => Promise<readonly Candidate[]>;
  readonly locateImage: (id: string) => readonly [path: string, parameters?: Parameters];
  /** Present if each use is reported, at the URL of the offer. */
  readonly wantsReports?: true;
}

/** Statuses for an image that is gone. Some providers send 400, because the id is no longer valid. */
const goneStatuses = [400, 404, 410];

/** Makes the adapter of an API. */
export function createAdapter(api: ProviderApi, settings: ProviderSettings): StockProvider {
  const { name, diagnose, quota, wantsReports } = api;
  const baseUrl = getBaseUrl(api, settings);
  const { host, hostname } = new URL(baseUrl);
  // A fake provider on this machine has its images there too.
  const allowedHosts = isLoopbackHost(hostname) ? [host] : api.hosts;
  const send = async (path: string, parameters: Parameters, signal: AbortSignal, absentOn?: number[]) => {
    const identity = await api.identify?.(() => requireKey(name, settings));
    const headers = { 'user-agent': makeUserAgent(settings), ...identity?.headers };
    const url = buildUrl(baseUrl, path, { ...identity?.parameters, ...parameters });
    return fetchJson({ provider: name, url, headers, signal, absentOn, diagnose });
  };
  return {
    name,
    capability: { ...plainCapability, ...api.capability, allowedHosts },
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
        // The request has the key, so it must go to the provider only.
        if (origin !== new URL(baseUrl).origin)
          throw new ProviderFailure('rejected', `A use can be reported to ${name} only.`);
        await send(`${pathname}${search}`, {}, signal);
      },
    }),
  };
}

/** Reads the images of a reply. Those without an id, a URL or a licence are left out. */
function readCandidates(
  { title, readImage, writeCredit }: ProviderApi,
  images: readonly unknown[],
  subject?: Subject,
): Candidate[] {
  return images.flatMap((reply, index) => {
    const image = readImage(readObject(reply), subject);
    const id = cleanText(typeof image?.id === 'number' ? readNumber(image.id)?.toString() : image?.id);
    const sourceUrl = readImageUrl(image?.sourceUrl);
    if (!image?.license || id === undefined || sourceUrl === undefined) return [];
    const { license, extra } = image;
    const creator = readName(image.creator);
    const byCreator = creator === undefined ? '' : ` by ${creator}`;
    const imageTitle = readName(image.title);
    const work = imageTitle === undefined ? 'Image' : `“${imageTitle}”`;
    const creditLine = writeCredit?.(byCreator) ?? `${work}${byCreator}, ${license.name}, via ${title}`;
    const extraUrls = Object.entries(extra ?? {}).map(([name, url]) => [name, readImageUrl(url)] as const);
    const candidate: Candidate = dropUndefined({
      id,
      widthPx: readNumber(image.width),
      heightPx: readNumber(image.height),
      sourceUrl,
      attribution: dropUndefined({
        providerName: title,
        creator,
        creatorUrl: readPageUrl(image.creatorUrl),
        landingUrl: readPageUrl(image.landingUrl),
        license,
        creditLine,
      }),
      description: makeDescription(index + 1, { ...image, title: imageTitle }, subject),
      extra: extra && dropUndefined(Object.fromEntries(extraUrls)),
    });
    return [candidate];
  });
}

/** Returns the base URL of a provider or of its fake, without a trailing slash. */
export function getBaseUrl(
  { name, baseUrl }: { readonly name: StockProviderName; readonly baseUrl: string },
  { endpoints }: ProviderSettings,
): string {
  return endpoints[name]?.replace(/(?<!\/)\/+$/, '') || baseUrl;
}

/** Makes the User-Agent in the form that Wikimedia's policy demands: service and contact of the operator. */
export function makeUserAgent({ contact }: Pick<ProviderSettings, 'contact'>): string {
  const contactText = contact.replace(/[^\x20-\x7e]|[()]/g, '');
  return `image-redirect/0.1 (${contactText}) node/${process.versions.node.split('.')[0]}`;
}

/** Builds a URL from base URL, path and parameters. */
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
