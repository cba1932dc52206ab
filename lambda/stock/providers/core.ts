/** The common part of the adapters: sending a request, validating the answer, mapping it to candidates. */

import * as z from 'zod/mini';
import type { Clock } from '../../base/clock';
import { parseUrl } from '../../base/parse-url';
import { withoutUndefined } from '../../base/without-undefined';
import type { StockProviderName } from '../../contract/providers';
import type { Crop } from '../../contract/request-bounds';
import type { Candidate } from '../../images/image';
import type { License } from '../../images/record';
import type { Size } from '../../requests/rendition';
import type { PhotoIndex } from '../library/photo-index';
import {
  type CandidateSource,
  type Capability,
  ProviderFailure,
  type Quota,
  type StockProvider,
  type StockQuery,
  type TakeRequest,
} from '../stock-provider';
import type { Subject } from '../subject';
import { type CroppingProvider, cropHosts, hostsFor } from './hosts';
import { descriptionOf, type RawDescription } from './wire/description';
import { fetchJson, type JsonRequest } from './wire/fetch-json';
import { cleanText, imageUrl, nameText, objectAt, pageUrl, positiveInteger } from './wire/fields';

/** The configuration of the adapters; the providers' documentation fixes everything else. */
export interface ProviderSettings {
  /** The key of a name; `undefined` when the operator has set none. @throws when the secret cannot be read */
  readonly readKey: (name: string) => Promise<string | undefined>;
  /** Contact of the operator of the service, an e-mail address or a URL, for the User-Agent. */
  readonly contact: string;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** Base URLs that replace a provider's own: local fake providers. */
  readonly endpoints: Readonly<Partial<Record<StockProviderName, string>>>;
  /** The quotas that the operator has agreed on with a provider, in place of those of its documentation. */
  readonly quotas?: Readonly<Partial<Record<StockProviderName, Quota>>>;
  /** Reads the operator's photographs; absent for what never searches them. */
  readonly readPhotoIndex?: () => Promise<PhotoIndex>;
}

/** Candidates that are taken from one answer: enough to choose from, few enough to keep. */
export const candidatesMax = 20;

/** The capability of what the service searches itself, and the default of all others. */
export const ownCapability: Capability = {
  ranksByRelevance: false,
  unmetLicenses: [],
  allowedHosts: [],
};

/** A photo of an answer, by the names of the service and unchecked. */
interface Photo extends RawDescription {
  readonly id: unknown;
  readonly width: unknown;
  readonly height: unknown;
  readonly sourceUrl: unknown;
  readonly creator: unknown;
  readonly creatorUrl?: unknown;
  readonly landingUrl: unknown;
  /** `undefined` where it allows no cropping, or is unknown. */
  readonly license: License | undefined;
  /** URLs by their names. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

const cleaned = <T>(read: (value: unknown) => T) => z.pipe(z.optional(z.unknown()), z.transform(read));
/** Ids are texts and numbers. */
const photoSchema = z.object({
  id: cleaned((value) => cleanText(typeof value === 'number' ? positiveInteger(value)?.toString() : value)),
  width: cleaned(positiveInteger),
  height: cleaned(positiveInteger),
  sourceUrl: cleaned(imageUrl),
  creator: cleaned(nameText),
  creatorUrl: cleaned(pageUrl),
  landingUrl: cleaned(pageUrl),
  title: cleaned(nameText),
  extra: z.optional(z.record(z.string(), cleaned(imageUrl))),
});

/** Parameters of a request; `undefined` ones are left out. */
export type Parameters = Readonly<Record<string, string | undefined>>;
/** The photos of one search that can be shown, in its order. */
type SearchFor = (path: string, parameters: Parameters, subject: Subject) => Promise<readonly Candidate[]>;

/** A provider as its documentation describes it. */
type Site = CroppingSite | FetchedSite;

/** A provider whose image servers crop. `cropHosts` has its hosts, by which kept answers are checked. */
interface CroppingSite extends SiteBasics {
  readonly name: CroppingProvider;
  readonly sourceFor: SourceFor<CandidateSource>;
}

/** A provider whose images are fetched and cropped by the service. */
interface FetchedSite extends SiteBasics {
  readonly name: Exclude<StockProviderName, CroppingProvider>;
  /** Hosts that its images are on. */
  readonly hosts: readonly string[];
  readonly sourceFor: SourceFor<Exclude<CandidateSource, { kind: 'hotlink' }>>;
}

/** Names the source of an image. @param baseUrl that of the provider, or of what stands in for it */
type SourceFor<Source> = (
  candidate: Candidate,
  size: Size,
  crop: Crop,
  baseUrl: string,
) => Source | undefined;

interface SiteBasics extends Pick<JsonRequest, 'diagnose'> {
  /** As people call it. */
  readonly title: string;
  readonly baseUrl: string;
  readonly capability?: Partial<Capability>;
  /** Its documented limits. */
  readonly quota: Quota | (() => Promise<Quota>);
  /** Names the caller in every request. @param key reads the key of the provider */
  readonly identify?: (
    key: () => Promise<string>,
    signal: AbortSignal,
  ) => Promise<{ readonly headers?: Readonly<Record<string, string>>; readonly parameters?: Parameters }>;
  /** The photos in an answer, in its order. */
  readonly photosIn: (answer: unknown) => readonly unknown[];
  /** Reads a photo of its answer; `undefined` for one that is not shown. */
  readonly photoOf: (
    said: Readonly<Record<string, unknown>>,
    subject: Subject | undefined,
  ) => Photo | undefined;
  /**
   * The credit that its terms word; absent for title, name and licence.
   * @param byCreator ` by ` and a name, or empty
   */
  readonly credit?: (byCreator: string) => string;
  readonly search: (
    query: StockQuery,
    searchFor: SearchFor,
    takeRequest: TakeRequest,
  ) => Promise<readonly Candidate[]>;
  /** The request for one photo. */
  readonly photoAt: (id: string) => readonly [path: string, parameters?: Parameters];
  /** Whether each use is reported, at the URL that a source names. */
  readonly wantsReports?: true;
}

/** Statuses by which providers say that a photo is gone; 400 for an id that is not valid any more. */
const goneStatuses = [400, 404, 410];

/** The adapter of a provider. Its requests throw `ProviderFailure`, and nothing else. */
export function adapterOf(site: Site, settings: ProviderSettings): StockProvider {
  const { name, photoOf, photosIn } = site;
  const baseUrl = baseUrlOf(site, settings);
  const hosts = 'hosts' in site ? site.hosts : cropHosts[site.name];
  const key = () => keyOf(name, settings);
  const send = async (path: string, parameters: Parameters, signal: AbortSignal, absentOn?: number[]) => {
    const named = await site.identify?.(key, signal);
    const headers = { 'user-agent': userAgentOf(settings), ...named?.headers };
    const url = urlOf(baseUrl, path, { ...named?.parameters, ...parameters });
    return fetchJson({ provider: name, url, headers, signal, absentOn, diagnose: site.diagnose });
  };
  const candidatesOf = (photos: readonly unknown[], subject?: Subject) =>
    photos.flatMap((each, index) => {
      const photo = photoOf(objectAt(each), subject);
      return photo ? candidateIn(site, photo, index + 1, subject) : [];
    });
  return {
    name,
    capability: { ...ownCapability, ...site.capability, allowedHosts: hostsFor(baseUrl, hosts) },
    quota: async () =>
      settings.quotas?.[name] ?? (typeof site.quota === 'function' ? site.quota() : site.quota),
    search: async (query, signal, takeRequest = async () => false) =>
      site.search(
        query,
        async (path, parameters, subject) =>
          candidatesOf(photosIn(await send(path, parameters, signal)), subject),
        takeRequest,
      ),
    async byId(id, signal) {
      const [path, parameters = {}] = site.photoAt(id);
      const answer = await send(path, parameters, signal, goneStatuses);
      const [found = answer] = photosIn(answer);
      return candidatesOf([found])[0];
    },
    sourceFor: (candidate, size, crop = 'attention') => site.sourceFor(candidate, size, crop, baseUrl),
    ...(site.wantsReports && {
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

/** The photo as a candidate; none without an id, a URL or a licence. */
function candidateIn(
  { title, credit }: Pick<Site, 'title' | 'credit'>,
  said: Photo,
  rank: number,
  subject?: Subject,
): Candidate[] {
  const photo = z.parse(photoSchema, said);
  const { id, sourceUrl, creator, creatorUrl, landingUrl, extra } = photo;
  const { license } = said;
  if (id === undefined || sourceUrl === undefined || !license) return [];
  const byCreator = creator === undefined ? '' : ` by ${creator}`;
  const work = photo.title === undefined ? 'Image' : `“${photo.title}”`;
  const creditLine = credit?.(byCreator) ?? `${work}${byCreator}, ${license.name}, via ${title}`;
  const attribution = { providerName: title, creator, creatorUrl, landingUrl, license, creditLine };
  return [
    withoutUndefined({
      ...{ id, widthPx: photo.width, heightPx: photo.height, sourceUrl },
      attribution: withoutUndefined(attribution),
      description: descriptionOf(rank, { ...said, title: photo.title }, subject),
      extra: extra && withoutUndefined(extra),
    }),
  ];
}

/** The URL below which a provider is reached, without a trailing slash. */
export function baseUrlOf(
  { name, baseUrl }: { readonly name: StockProviderName; readonly baseUrl: string },
  { endpoints }: ProviderSettings,
): string {
  return endpoints[name]?.replace(/(?<!\/)\/+$/, '') || baseUrl;
}

/** Names the service and its operator, in the form that Wikimedia's User-Agent policy asks for. */
export function userAgentOf({ contact }: Pick<ProviderSettings, 'contact'>): string {
  const reachable = contact.replace(/[^\x20-\x7e]|[()]/g, '');
  return `image-redirect/0.1 (${reachable}) node/${process.versions.node.split('.')[0]}`;
}

/** A URL below the base with parameters. */
export function urlOf(baseUrl: string, path: string, parameters: Parameters): URL {
  const url = new URL(baseUrl + path);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url;
}

/** Reads the key of a provider. @throws `ProviderFailure` that names neither key nor place */
async function keyOf(name: string, { readKey }: Pick<ProviderSettings, 'readKey'>): Promise<string> {
  const value = await readKey(name).catch(() => {
    throw new ProviderFailure('unavailable', `The key of ${name} could not be read.`);
  });
  const key = value?.trim() ?? '';
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new ProviderFailure('unauthorized', `${name} needs a key, and no usable one is set.`);
}
