/**
 * Reads the environment variables of the functions. The local service alone sets
 * `FALLBACK_PROVIDER`, `ANONYMOUS_LIMIT` and `DEMO_KEY`; it and the deployment test set `PROVIDER_ENDPOINTS`.
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

/** Reads a variable, empty if it is not set. @throws `Error` that says what is wanted, without the text */
export type Setting<T> = (text: string) => T;
/** Settings by the names of their variables. */
export type Settings = Readonly<Record<string, Setting<unknown>>>;
/** The values of settings. */
export type ConfigOf<S extends Settings> = { readonly [K in keyof S]: ReturnType<S[K]> };

/** Variables are missing or malformed; the message has a line for each. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/** Reads all settings. @throws `ConfigurationError` with every fault, and no value, as some are secret */
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

function check(isRight: boolean, fault: string): void {
  if (!isRight) throw new Error(fault);
}

/** Reads a text that must be there. */
export const requiredText: Setting<string> = (value) => {
  check(value !== '', 'is missing');
  return value;
};

/** Makes a setting that may be absent, with its default. */
function withDefault<T, D>(read: Setting<T>, absent: D): Setting<T | D> {
  return (value) => (value === '' ? absent : read(value));
}

/** Text that may be absent. */
export const optionalText = withDefault(requiredText, undefined);

/** Reads a text that the stack and the local service write, and that is one of a few. */
const wordOr = <T extends string | undefined>(absent: T) => withDefault((value) => value as T, absent);

/** Makes the reader of a JSON text. @param read throws an `Error` that says what is wanted */
export function jsonSetting<T>(read: (value: unknown) => T): Setting<T> {
  return (value) => {
    const parsed = parseJson(value);
    check(parsed !== undefined, 'must be JSON');
    return read(parsed);
  };
}

/** URLs that replace a provider's own: `{"unsplash": "http://127.0.0.1:4010"}`. */
const providerEndpoints = byProvider<string>('a URL', (endpoint) =>
  /^https?:$/.test(parseUrl(String(endpoint))?.protocol ?? ''),
);

/**
 * The quotas that the operator has agreed on with a provider, in place of those for everybody: `{"unsplash":
 * {"perHour": 5000}}`. A window that is not named has no limit.
 */
const providerQuotas = byProvider<Quota>('limits', (quota) => {
  checkLimits(quota, providerQuotaMax);
  return Object.keys(quota ?? {}).length > 0;
});

/** Limits that replace those of the default plans, and texts: `{"free": {"monthlyRequests": 2000}}`. */
const plans: Setting<Plans> = withDefault(jsonSetting(readPlans), defaultPlans);

/** Reads a value for some providers; none by default. @param what the value, in the words of a fault */
function byProvider<T>(
  what: string,
  isValid: (value: unknown) => boolean,
): Setting<Readonly<Partial<Record<StockProviderName, T>>>> {
  const readValues = (value: unknown) => {
    for (const [provider, providerValue] of Object.entries(value ?? {}))
      check(isProvider(provider) && isValid(providerValue), `must give ${what} to providers, by their names`);
    return (value ?? {}) as Readonly<Partial<Record<StockProviderName, T>>>;
  };
  return withDefault(jsonSetting(readValues), {});
}

const isProvider = (name: unknown) => (stockProviders as readonly unknown[]).includes(name);

const planLimits = { monthlyRequests: unlimitedRequests, generationsPerMonth: unlimitedRequests };

/** Reads the plans. `perSecond` is a throttle of the gateway, and no limit that functions count. */
function readPlans(value: unknown): Plans {
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
    check(isRight, `must give ${name} a whole number from 1 to ${max}`);
  }
}

function perDay(value: string): number {
  const isRight = /^\d+$/.test(value) && Number(value) >= 1 && Number(value) <= generationsPerDayMax;
  check(isRight, `must be a whole number from 1 to ${generationsPerDayMax}`);
  return Number(value);
}

/** The CloudWatch namespace of the metrics: each stack has its own alarms. */
export const namespaceSetting = withDefault(requiredText, metricNamespace);
/** The settings of the authorizer. */
export const authorizerSettings = {
  METRIC_NAMESPACE: namespaceSetting,
  API_KEYS_TABLE: requiredText,
  /** Value of the API Gateway key of each tier's usage plan. */
  TIER_KEYS: jsonSetting((value) => value as Readonly<Record<Tier, string>>),
  /** SHA-256 of the secret of the distribution before the API, in hexadecimal digits; absent without one. */
  EDGE_SHA256: optionalText,
} as const;

/** The settings of the function behind the API. */
export const apiSettings = {
  METRIC_NAMESPACE: namespaceSetting,
  API_KEYS_TABLE: requiredText,
  QUOTA_COUNTERS_TABLE: requiredText,
  IMAGES_TABLE: requiredText,
  CACHE_TABLE: requiredText,
  GENERATION_INDEX_TABLE: requiredText,
  /** The provider of each slot: `{"stock_a": "openverse", …}`. */
  SLOT_BINDINGS: jsonSetting((value) => value as SlotBindings),
  IMAGE_DELIVERY: wordOr<ImageDelivery>('provider'),
  /** The CDN in front of the image store. */
  IMAGE_BASE_URL: requiredText,
  /** `s3://bucket`, or `file:///folder` in the local service. */
  IMAGE_STORE: requiredText,
  RENDERER_FUNCTION: requiredText,
  GENERATOR_FUNCTION: requiredText,
  /** Id of the secret with the key under which client IP addresses are hashed. */
  ADDRESS_SECRET_ID: requiredText,
  /** The secret with the P-256 key (PEM) that signs URLs of private images, and the id of its public key. */
  SIGNING_SECRET_ID: requiredText,
  SIGNING_KEY_PAIR_ID: requiredText,
  /** Id of the secret from which the secrets of all signers are derived. */
  SIGNER_SECRET_ID: requiredText,
  /** Id of the secret with the provider keys, by provider; absent when every bound provider is keyless. */
  PROVIDER_SECRET_ID: optionalText,
  PROVIDER_ENDPOINTS: providerEndpoints,
  PROVIDER_QUOTAS: providerQuotas,
  /** Contact of the operator in the User-Agent that providers ask for: an e-mail address or a URL. */
  CONTACT: optionalText,
  /** The event bus for thresholds of usage; without one they are logged. */
  EVENT_BUS: optionalText,
  PLANS: plans,
  /** AI images per UTC day, for all accounts together; absent for no ceiling. */
  GENERATIONS_PER_DAY: withDefault(perDay, undefined),
  AI_LABEL: wordOr<AiLabel>('off'),
  /** Certificates (PEM) by which AI images are checked; absent if the operator signs with own ones. */
  CONTENT_CERTIFICATES: optionalText,
  /** Name and links of the operator on the page: `{"name": "Pictures", "imprint": "https://…"}`. */
  SITE: withDefault(
    jsonSetting((value) => ({ ...defaultSite, ...(value as Site | null) })),
    defaultSite,
  ),
  /** Root of the service as callers see it behind a distribution. */
  ROOT_URL: optionalText,
  /** The stock provider that is asked while none of the slots is reached; absent where none is. */
  FALLBACK_PROVIDER: wordOr<StockProviderName | undefined>(undefined),
  /** The hourly limit of callers without a key; `unlimitedRequests` counts none of their requests. */
  ANONYMOUS_LIMIT: withDefault(
    jsonSetting((value) => (value ?? {}) as Partial<Pick<Limit, 'max' | 'hint'>>),
    {},
  ),
  /** An API key that the documentation page offers. */
  DEMO_KEY: optionalText,
} as const;

/** Reads who issues the first key of an account. Only the local service has a demo key. */
export const readKeyIssuer = (
  config: Pick<ConfigOf<typeof apiSettings>, 'SITE' | 'DEMO_KEY'>,
): KeyIssuer => ({
  contact: config.SITE.contact,
  isLocal: config.DEMO_KEY !== undefined,
});

/** The settings of the renderer. */
export const rendererSettings = {
  METRIC_NAMESPACE: namespaceSetting,
  IMAGE_STORE: requiredText,
  CONTACT: requiredText,
  PROVIDER_SECRET_ID: optionalText,
  PROVIDER_ENDPOINTS: providerEndpoints,
  /** Id of the secret with the key and certificates (PEM) that sign AI images; absent for no signature. */
  CONTENT_SECRET_ID: optionalText,
} as const;
