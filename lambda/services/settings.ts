/**
 * Reads the environment variables of the functions. Only the local service sets `FALLBACK_PROVIDER`,
 * `ANONYMOUS_LIMIT` and `DEMO_KEY`. Only the local service and the deployment test set `PROVIDER_ENDPOINTS`.
 */

import { parseJson, parseUrl } from '../base/parse';
import { metricNamespace } from '../contract/metrics';
import {
  defaultPlans,
  type Plans,
  type PlanTexts,
  planNames,
  type Tier,
  unlimitedRequests,
} from '../contract/plans';
import {
  providerQuotaMax,
  type SlotBindings,
  type StockProviderName,
  stockProviders,
} from '../contract/providers';
import {
  type AiLabel,
  defaultSite,
  generationsPerDayMax,
  type ImageDelivery,
  type Site,
} from '../contract/settings';
import type { KeyIssuer } from '../problems/problem';
import type { Limit } from '../quota/limit';
import type { Quota } from '../stock/stock-provider';

/** Reads a variable; one that is not set is empty. @throws `Error` that says what is expected, without the text */
export type Setting<T> = (text: string) => T;
/** Settings by the names of their variables. */
export type Settings = Readonly<Record<string, Setting<unknown>>>;
export type ConfigOf<S extends Settings> = { readonly [K in keyof S]: ReturnType<S[K]> };

/** The error of missing and malformed variables. Its message has a line for each. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/** Reads all settings. @throws `ConfigurationError` with every fault. It has no value: some are secret. */
export function readConfig<S extends Settings>(
  environment: Readonly<Record<string, string | undefined>>,
  settings: S,
): ConfigOf<S> {
  const faults: string[] = [];
  const config: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(settings))
    try {
      config[name] = read(environment[name] ?? '');
    } catch (error) {
      faults.push(`${name} ${(error as Error).message}`);
    }
  if (faults.length > 0)
    throw new ConfigurationError(`The function is misconfigured:\n  ${faults.join('\n  ')}`);
  return config as ConfigOf<S>;
}

function requireValid(isValid: boolean, fault: string): void {
  if (!isValid) throw new Error(fault);
}

export const readRequiredText: Setting<string> = (value) => {
  requireValid(value !== '', 'is missing');
  return value;
};

/** Makes a setting whose variable may be absent. `absent` is its default. */
function makeOptionalSetting<T, D>(read: Setting<T>, absent: D): Setting<T | D> {
  return (value) => (value === '' ? absent : read(value));
}

export const readOptionalText = makeOptionalSetting(readRequiredText, undefined);

/** Makes a setting of a few words. It trusts its writers: the stack and the local service. */
const makeWordSetting = <T extends string | undefined>(absent: T) =>
  makeOptionalSetting((value) => value as T, absent);

/** Makes a setting of JSON. @param read throws an `Error` that says what is expected */
export function makeJsonSetting<T>(read: (value: unknown) => T): Setting<T> {
  return (value) => {
    const parsed = parseJson(value);
    requireValid(parsed !== undefined, 'must be JSON');
    return read(parsed);
  };
}

/** Reads URLs that replace those of providers: `{"unsplash": "http://127.0.0.1:4010"}`. */
const readProviderEndpoints = makeProviderSetting<string>('a URL', (endpoint) =>
  /^https?:$/.test(parseUrl(String(endpoint))?.protocol ?? ''),
);

/**
 * Reads the quotas that the operator has agreed on with providers: `{"unsplash": {"perHour": 5000}}`. They
 * replace all quotas of the provider, so a window without a number has no limit.
 */
const readProviderQuotas = makeProviderSetting<Quota>('limits', (quota) => {
  checkLimits(quota, providerQuotaMax);
  return Object.keys(quota ?? {}).length > 0;
});

/** Reads changes of the default plans, in limits and texts: `{"free": {"monthlyRequests": 2000}}`. */
const readPlans: Setting<Plans> = makeOptionalSetting(makeJsonSetting(makePlans), defaultPlans);

/** Makes a setting with a value for some providers. @param valueName for a fault */
function makeProviderSetting<T>(
  valueName: string,
  isValid: (value: unknown) => boolean,
): Setting<Readonly<Partial<Record<StockProviderName, T>>>> {
  const checkValues = (value: unknown) => {
    for (const [provider, providerValue] of Object.entries(value ?? {}))
      requireValid(
        isProvider(provider) && isValid(providerValue),
        `must give ${valueName} to providers, by their names`,
      );
    return (value ?? {}) as Readonly<Partial<Record<StockProviderName, T>>>;
  };
  return makeOptionalSetting(makeJsonSetting(checkValues), {});
}

const isProvider = (name: unknown) => (stockProviders as readonly unknown[]).includes(name);

const planLimits = { monthlyRequests: unlimitedRequests, generationsPerMonth: unlimitedRequests };

/** Makes the plans of their changes. Functions drop `perSecond`, because the gateway throttles. */
function makePlans(value: unknown): Plans {
  const changes = (value ?? {}) as Readonly<Record<string, { texts?: PlanTexts; perSecond?: number }>>;
  const planEntries = planNames.map((name) => {
    const { texts, perSecond: _perSecond, ...limits } = changes[name] ?? {};
    checkLimits(limits, planLimits);
    return [name, { ...defaultPlans[name], ...limits, ...(texts && { texts }) }];
  });
  return Object.fromEntries(planEntries);
}

function checkLimits(limits: unknown, maxima: Readonly<Record<string, number>>): void {
  for (const [name, limit] of Object.entries(limits ?? {})) {
    const max = maxima[name] ?? 0;
    const isRight = Number.isSafeInteger(limit) && limit >= 1 && limit <= max;
    requireValid(isRight, `must give ${name} a whole number from 1 to ${max}`);
  }
}

function readGenerationsPerDay(value: string): number {
  const isRight = /^\d+$/.test(value) && Number(value) >= 1 && Number(value) <= generationsPerDayMax;
  requireValid(isRight, `must be a whole number from 1 to ${generationsPerDayMax}`);
  return Number(value);
}

/** The CloudWatch namespace of the metrics. Each stack has its own, because it has its own alarms. */
export const readMetricNamespace = makeOptionalSetting(readRequiredText, metricNamespace);
export const authorizerSettings = {
  METRIC_NAMESPACE: readMetricNamespace,
  API_KEYS_TABLE: readRequiredText,
  /** The value of the API Gateway key of each tier. */
  TIER_KEYS: makeJsonSetting((value) => value as Readonly<Record<Tier, string>>),
  /** The SHA-256 of the distribution's secret, in hexadecimal digits. Absent without `edge`. */
  EDGE_SHA256: readOptionalText,
} as const;

export const apiSettings = {
  METRIC_NAMESPACE: readMetricNamespace,
  API_KEYS_TABLE: readRequiredText,
  QUOTA_COUNTERS_TABLE: readRequiredText,
  IMAGES_TABLE: readRequiredText,
  CACHE_TABLE: readRequiredText,
  GENERATION_INDEX_TABLE: readRequiredText,
  /** The provider of each slot: `{"stock_a": "openverse", …}`. */
  SLOT_BINDINGS: makeJsonSetting((value) => value as SlotBindings),
  IMAGE_DELIVERY: makeWordSetting<ImageDelivery>('provider'),
  /** The CDN in front of the image store. */
  IMAGE_BASE_URL: readRequiredText,
  /** `s3://bucket`, or `file:///folder` in the local service. */
  IMAGE_STORE: readRequiredText,
  RENDERER_FUNCTION: readRequiredText,
  GENERATOR_FUNCTION: readRequiredText,
  /** Id of the secret with the key under which client IP addresses are hashed. */
  ADDRESS_SECRET_ID: readRequiredText,
  /** The secret with the P-256 key (PEM) that signs URLs of private images, and the id of its public key. */
  SIGNING_SECRET_ID: readRequiredText,
  SIGNING_KEY_PAIR_ID: readRequiredText,
  /** Id of the secret from which the secrets of all signers are derived. */
  SIGNER_SECRET_ID: readRequiredText,
  /** Id of the secret with the provider keys. Absent if no bound provider needs a key. */
  PROVIDER_SECRET_ID: readOptionalText,
  PROVIDER_ENDPOINTS: readProviderEndpoints,
  PROVIDER_QUOTAS: readProviderQuotas,
  /** Contact of the operator in the User-Agent that providers ask for: an e-mail address or a URL. */
  CONTACT: readOptionalText,
  /** The event bus for thresholds of usage. Without a bus, they are logged. */
  EVENT_BUS: readOptionalText,
  PLANS: readPlans,
  /** AI images per UTC day, for all accounts together. Absent for no ceiling. */
  GENERATIONS_PER_DAY: makeOptionalSetting(readGenerationsPerDay, undefined),
  AI_LABEL: makeWordSetting<AiLabel>('off'),
  /** The certificates (PEM) that AI images are checked with. Absent if the operator has its own. */
  CONTENT_CERTIFICATES: readOptionalText,
  /** Name and links of the operator on the page: `{"name": "Pictures", "imprint": "https://…"}`. */
  SITE: makeOptionalSetting(
    makeJsonSetting((value) => ({ ...defaultSite, ...(value as Site | null) })),
    defaultSite,
  ),
  /** Root URL of the service behind a distribution. Absent without a distribution. */
  ROOT_URL: readOptionalText,
  /** The stock provider that is asked while no provider of the slots can be reached. Absent for none. */
  FALLBACK_PROVIDER: makeWordSetting<StockProviderName | undefined>(undefined),
  /** The hourly limit of callers without a key. `unlimitedRequests` means no limit. */
  ANONYMOUS_LIMIT: makeOptionalSetting(
    makeJsonSetting((value) => (value ?? {}) as Partial<Pick<Limit, 'max' | 'hint'>>),
    {},
  ),
  /** An API key that the documentation page offers. */
  DEMO_KEY: readOptionalText,
} as const;

/** Reads who issues the first key of an account. Only the local service has a demo key. */
export const readKeyIssuer = (
  config: Pick<ConfigOf<typeof apiSettings>, 'SITE' | 'DEMO_KEY'>,
): KeyIssuer => ({
  contact: config.SITE.contact,
  isLocal: config.DEMO_KEY !== undefined,
});

export const rendererSettings = {
  METRIC_NAMESPACE: readMetricNamespace,
  IMAGE_STORE: readRequiredText,
  CONTACT: readRequiredText,
  PROVIDER_SECRET_ID: readOptionalText,
  PROVIDER_ENDPOINTS: readProviderEndpoints,
  /** Id of the secret with the key and certificates (PEM) that sign AI images. Absent for no signature. */
  CONTENT_SECRET_ID: readOptionalText,
} as const;
