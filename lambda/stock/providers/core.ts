/** What the adapters of all providers do alike: one request, an answer that zod validates, one mapping to candidates. */

import * as z from 'zod/mini';
import type { StockProviderName } from '../../contract/providers';
import type { Candidate } from '../../images/image';
import type { Capability, StockProvider } from '../stock-provider';
import type { Subject } from '../understand';
import { hostsFor } from './hosts';
import { keyOf, type ProviderSettings, urlOf, userAgentOf, usualCapability } from './provider-settings';
import { fetchJson, type JsonRequest } from './wire/fetch-json';
import { candidateIn, type Photo } from './wire/read-json';

/** A provider as its documentation describes it. */
export interface Site<Schema extends z.ZodMiniType> extends Pick<JsonRequest, 'diagnose' | 'observe'> {
  readonly name: StockProviderName;
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
  /** One photo of its answers. */
  readonly schema: Schema;
  /** What it says of a photo, in the words of the service; `undefined` for one that is not shown. */
  readonly photoOf: (said: z.output<Schema>, subject: Subject | undefined) => Photo | undefined;
}

/** What an adapter is made of. */
export interface Connected extends Pick<StockProvider, 'name' | 'capability'> {
  readonly baseUrl: string;
  /** The provider's key. @throws `ProviderFailure` */
  readonly key: () => Promise<string>;
  /** Sends one request. @returns `undefined` on a status of `absentOn` @throws `ProviderFailure`, and nothing else */
  readonly request: (
    path: string,
    parameters: Readonly<Record<string, string | undefined>>,
    signal: AbortSignal,
    absentOn?: readonly number[],
  ) => Promise<unknown>;
  /** The photos of a list that can be shown, in its order. */
  readonly candidatesOf: (photos: readonly unknown[], subject?: Subject) => readonly Candidate[];
}

/** Statuses that say that a photo is no longer offered. */
export const goneStatuses = [404, 410] as const;

/** Connects an adapter to its provider, or to what stands in for it. */
export function connect<Schema extends z.ZodMiniType>(
  site: Site<Schema>,
  settings: ProviderSettings,
): Connected {
  const { name, hosts, quota, capability, headers, schema, photoOf, ...how } = site;
  const { baseUrl = site.baseUrl } = settings;
  const key = () => keyOf(name, settings);
  return {
    name,
    baseUrl,
    key,
    capability: {
      ...usualCapability,
      ...capability,
      allowedHosts: hostsFor(baseUrl, hosts),
      quota: settings.quota ?? quota,
    },
    async request(path, parameters, signal, absentOn = []) {
      const url = urlOf(baseUrl, path, parameters);
      const named = { 'user-agent': userAgentOf(settings), ...(await headers?.(key, signal)) };
      const { diagnose, observe } = how;
      return fetchJson({
        ...{ provider: name, url, headers: named, signal, absentOn },
        ...(diagnose && { diagnose }),
        ...(observe && { observe }),
      });
    },
    candidatesOf: (photos, subject) =>
      photos.flatMap((each, index) => {
        const photo = photoOf(z.parse(schema, each), subject);
        return photo ? candidateIn(photo, index + 1, subject) : [];
      }),
  };
}
