/** What the adapters of all providers do alike: one request, an answer that zod validates, one mapping to candidates. */

import * as z from 'zod/mini';
import type { Clock } from '../../base/clock';
import { parseUrl } from '../../base/parse-url';
import type { StockProviderName } from '../../contract/providers';
import type { Candidate } from '../../images/image';
import type { License } from '../../images/record';
import type { PhotoIndex } from '../library/photo-index';
import { type Capability, ProviderFailure, type StockProvider } from '../stock-provider';
import type { Subject } from '../understand';
import { hostsFor } from './hosts';
import { type Described, describe, present } from './wire/describe';
import { fetchJson, type JsonRequest } from './wire/fetch-json';
import { record } from './wire/fields';

/** What is configured for one adapter; everything else is fixed by its provider's documentation. */
export interface ProviderSettings {
  /** Replaces the provider's own base URL, without a trailing slash: a local fake provider. */
  readonly baseUrl?: string;
  /** The provider's key, read on first need; empty when the operator has set none. */
  readonly key: () => Promise<string>;
  /** How to reach the operator of the service, an e-mail address or a URL, for the User-Agent. */
  readonly contact: () => string;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** Reads the operator's photographs, for the provider of these alone. */
  readonly readPhotoIndex?: () => Promise<PhotoIndex>;
  /** What the operator has agreed on with the provider, instead of what its documentation grants to anyone. */
  readonly quota?: Capability['quota'];
}

/** Candidates that are taken from one answer: enough to choose from, few enough to keep. */
export const candidatesMax = 20;

/** What a source can do whose images the service makes itself: no request is sent, and nothing is counted. */
export const ownCapability: Capability = {
  ranksByRelevance: false,
  searchFilters: [],
  unmetLicenses: [],
  allowedHosts: [],
  quota: {},
};

/** What an answer says of a photo. */
export interface Photo extends Described {
  readonly id: string | undefined;
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly sourceUrl: string | undefined;
  readonly creator: string | undefined;
  readonly creatorUrl?: string | undefined;
  readonly landingUrl: string | undefined;
  /** `undefined` where it allows no cropping, or is unknown. */
  readonly license: License | undefined;
  readonly extra?: Readonly<Record<string, string>> | undefined;
}

/** A provider as its documentation describes it. */
interface Site<Schema extends z.ZodMiniType> extends Pick<JsonRequest, 'diagnose'> {
  readonly name: StockProviderName;
  /** As people call it. */
  readonly title: string;
  readonly baseUrl: string;
  /** Hosts that its images are on. */
  readonly hosts: readonly string[];
  readonly quota: Capability['quota'];
  readonly capability?: Partial<Capability>;
  /** Headers of every request, beside the one that names the service. @param key reads the key of the provider */
  readonly headers?: (
    key: () => Promise<string>,
    signal: AbortSignal,
  ) => Promise<Readonly<Record<string, string>>>;
  /** Where the photos stand in the answer to a search. */
  readonly photosAt: readonly string[];
  /** One photo of its answers. */
  readonly schema: Schema;
  /** The order of photos that are not in the order of the search. */
  readonly compare?: (a: z.output<Schema>, b: z.output<Schema>) => number;
  /** What it says of a photo, in the words of the service; `undefined` for one that is not shown. */
  readonly photoOf: (said: z.output<Schema>, subject: Subject | undefined) => Photo | undefined;
  /** The credit that its terms word, with ` by ` and a name, or nothing; otherwise title, name and licence. */
  readonly credit?: (by: string) => string;
}

type Parameters = Readonly<Record<string, string | undefined>>;

/** What an adapter is made of. Each method throws `ProviderFailure`, and nothing else. */
interface Connected extends Pick<StockProvider, 'name' | 'capability'> {
  readonly baseUrl: string;
  /** The provider's key. */
  readonly key: () => Promise<string>;
  /** The photos of a search that can be shown, in its order. */
  readonly photos: (
    path: string,
    parameters: Parameters,
    signal: AbortSignal,
    subject: Subject,
  ) => Promise<readonly Candidate[]>;
  /** One photo by its id; `undefined` where it is not offered any more. */
  readonly photo: (
    path: string,
    parameters: Parameters,
    signal: AbortSignal,
  ) => Promise<Candidate | undefined>;
  /** Requests a URL that the provider has named for it. */
  readonly report: (url: string, signal: AbortSignal) => Promise<void>;
}

/** Statuses that say that there is no such photo; an id that is refused is none. */
const goneStatuses = [400, 404, 410];

/** Connects an adapter to its provider, or to what stands in for it. */
export function connect<Schema extends z.ZodMiniType>(
  site: Site<Schema>,
  settings: ProviderSettings,
): Connected {
  const { name, capability, schema, compare, photoOf } = site;
  const { baseUrl = site.baseUrl, quota = site.quota } = settings;
  const key = () => keyOf(name, settings);
  const send = async (
    path: string,
    parameters: Parameters,
    signal: AbortSignal,
    absentOn: readonly number[] = [],
  ) => {
    const headers = { 'user-agent': userAgentOf(settings), ...(await site.headers?.(key, signal)) };
    const url = urlOf(baseUrl, path, parameters);
    return fetchJson({ provider: name, url, headers, signal, absentOn, diagnose: site.diagnose });
  };
  const candidatesOf = (photos: readonly unknown[], subject?: Subject) => {
    const said = photos.map((each) => z.parse(schema, each));
    return (compare ? said.sort(compare) : said).flatMap((each, index) => {
      const photo = photoOf(each, subject);
      return photo ? candidateIn(site, photo, index + 1, subject) : [];
    });
  };
  const photosIn = (answer: unknown) => Object.values(record(answer, ...site.photosAt));
  return {
    name,
    baseUrl,
    key,
    capability: { ...ownCapability, ...capability, allowedHosts: hostsFor(baseUrl, site.hosts), quota },
    async photos(path, parameters, signal, subject) {
      return candidatesOf(photosIn(await send(path, parameters, signal)), subject);
    },
    async photo(path, parameters, signal) {
      const answer = await send(path, parameters, signal, goneStatuses);
      const [found = answer] = photosIn(answer);
      return candidatesOf([found])[0];
    },
    async report(url, signal) {
      const { origin, pathname, search } = parseUrl(url) ?? {};
      // The key goes with the request, so it goes nowhere else.
      if (origin !== new URL(baseUrl).origin)
        throw new ProviderFailure('rejected', `A use can be reported to ${name} only.`);
      await send(`${pathname}${search}`, {}, signal);
    },
  };
}

/** The photo as a candidate; none without an id, a URL or a licence. */
function candidateIn(
  { title, credit }: Pick<Site<z.ZodMiniType>, 'title' | 'credit'>,
  photo: Photo,
  rank: number,
  subject?: Subject,
): Candidate[] {
  const { id, sourceUrl, license, creator, creatorUrl, landingUrl, extra } = photo;
  if (id === undefined || sourceUrl === undefined || !license) return [];
  const by = creator === undefined ? '' : ` by ${creator}`;
  const work = photo.title === undefined ? 'Image' : `“${photo.title}”`;
  const creditLine = credit?.(by) ?? `${work}${by}, ${license.name}, via ${title}`;
  const attribution = { providerName: title, creator, creatorUrl, landingUrl, license, creditLine };
  return [
    present({
      ...{ id, widthPx: photo.width, heightPx: photo.height, sourceUrl },
      attribution: present(attribution),
      description: describe(rank, photo, subject),
      extra,
    }),
  ];
}

/** Names the service and its operator, in the form that Wikimedia's User-Agent policy asks for. */
export function userAgentOf({ contact }: Pick<ProviderSettings, 'contact'>): string {
  const reachable = contact().replace(/[^\x20-\x7e]|[()]/g, '');
  return `image-redirect/0.1 (${reachable}) node/${process.versions.node.split('.')[0]}`;
}

/** A URL below the base with parameters; `undefined` ones are left out. */
export function urlOf(baseUrl: string, path: string, parameters: Parameters): URL {
  const url = new URL(baseUrl + path);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url;
}

/** The key. @throws `ProviderFailure` that names neither the key nor where it was looked for */
async function keyOf(provider: string, { key }: Pick<ProviderSettings, 'key'>): Promise<string> {
  const value = await key().catch(() => {
    throw new ProviderFailure('unavailable', `The key of ${provider} could not be read.`);
  });
  if (/^[\x21-\x7e]+$/.test(value.trim())) return value.trim();
  throw new ProviderFailure('unauthorized', `${provider} needs a key, and no usable one is set.`);
}
