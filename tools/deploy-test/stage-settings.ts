/** The settings in which the tested stage differs from production, and how each setting is switched both ways. */

import type { StageSettings } from '../../lib/stage-settings';
import type { FakeProviderName } from '../../local/fake-providers/start';

/** Providers that the stock slots are bound to; fake providers answer for them. */
export const boundProviders = [
  'openverse',
  'wikimedia',
  'unsplash',
] as const satisfies readonly FakeProviderName[];

/** Requests per month of the free plan, few enough to use up. */
export const freeRequests = 3;

/** What the settings name outside the stack. */
export interface World {
  /** Base URLs of the fake providers, by provider. */
  readonly fakeProviders: Readonly<Record<string, string>>;
  /** Base URL of the fake generator. */
  readonly modelUrl: string;
  /** Of the account: for every name in its zone. */
  readonly certificateArn: string;
  readonly hostedZone: { readonly id: string; readonly name: string };
}

type Name = keyof StageSettings;
type Settings = Readonly<Partial<Record<Name, unknown>>>;

/** Settings with which each stage is deployed, all through. */
export function stageSettings({ fakeProviders }: Pick<World, 'fakeProviders'>): Settings {
  const [stock_a, stock_b, stock_c] = boundProviders;
  return {
    architecture: process.arch === 'arm64' ? 'arm64' : 'x86_64',
    canary: false,
    slotBindings: { stock_a, stock_b, stock_c },
    providerEndpoints: fakeProviders,
    // A fast machine would use up what a provider grants without a key within the minute.
    providerQuotas: { openverse: { perMinute: 1_000 }, wikimedia: { perMinute: 1_000 } },
    generator: { kind: 'sandbox' },
    alarmEmail: 'operator@example.org',
    plans: { free: { monthlyRequests: freeRequests } },
    throttles: { enterprise: { perSecond: 1, burst: 2 } },
  };
}

/** Versions of a rotated key during the overlap. */
const trusted = [1, 2];

/** Settings that are never switched in a deployed stage, with the reason. */
export const never = {
  awsEndpointUrl: 'it is for functions on this machine, and refused where data is kept',
  installation: 'it names another stack',
  restoredTables: 'it names what point-in-time recovery has made',
} as const satisfies Partial<Record<Name, string>>;

/** What every other setting is switched to, in the stage after the first. */
type Switched = Readonly<
  Record<Exclude<Name, keyof typeof never | 'edge' | 'originLock' | 'contentCredentials'>, unknown>
>;
/** These in the stages after that: the first key of private images is no longer trusted by then. */
type Later = Settings & Readonly<Record<'edge' | 'contentCredentials', unknown>>;

interface Walk {
  readonly switched: Switched;
  readonly later: Later;
  readonly locked: Settings;
  readonly ending: Settings;
}

/**
 * The stages that follow one another, with that of `stageSettings` before and after the first, so that each setting is switched
 * there and back.
 */
export function walkOf({ fakeProviders, modelUrl, certificateArn, hostedZone }: World): Walk {
  const base = stageSettings({ fakeProviders });
  const domains = {
    apiDomain: { name: `api.${hostedZone.name}`, certificateArn, hostedZone },
    imageDomain: { name: `images.${hostedZone.name}`, certificateArn, hostedZone },
  };
  const elsewhere = Object.entries(fakeProviders).map(([name, url]) => [
    name,
    url.replace('127.0.0.1', 'localhost'),
  ]);
  const later = {
    ...domains,
    edge: true,
    contentCredentials: 'off',
    signingKey: { version: 2, trusted: [2] },
    contentKey: { version: 2, trusted: [2] },
  };
  const locked = { ...later, contentCredentials: 'self', originLock: { version: 2, trusted } };
  return {
    switched: {
      ...domains,
      architecture: base.architecture === 'arm64' ? 'x86_64' : 'arm64',
      canary: true,
      generator: {
        kind: 'openai-compatible',
        baseUrl: modelUrl,
        model: 'fake',
        sendResponseFormat: 'b64_json',
      },
      aiLabel: 'corner',
      signingKey: { version: 1, trusted },
      contentKey: { version: 1, trusted },
      keepsData: false,
      slotBindings: { stock_c: 'library' },
      providerEndpoints: Object.fromEntries(elsewhere),
      providerQuotas: { openverse: { perHour: 5_000 } },
      imageDelivery: 'own',
      generatorConcurrency: 20,
      rendererConcurrency: 20,
      authorizerConcurrency: 20,
      generationsPerDay: 'off',
      generationsPerHourAlarm: 10,
      testKeysGenerate: true,
      contact: 'ops@example.org',
      plans: { free: { monthlyRequests: 5 } },
      redirectMaxAgeS: 60,
      throttles: { enterprise: { perSecond: 2, burst: 4 } },
      floodLimits: { perOpenMethod: { perSecond: 40, burst: 80 } },
      logRetentionDays: 30,
      eventBus: 'accounts',
      alarmEmail: 'accounts@example.org',
      monthlyBudgetUsd: 100,
      firewallRequestsPer5Min: 'off',
      setsApiGatewayLogRole: false,
    },
    later,
    locked,
    ending: { ...locked, edge: false, keepsData: false },
  };
}

/** Both keys rotated, and both versions of each trusted. */
export const rotated = { signingKey: { version: 2, trusted }, contentKey: { version: 2, trusted } };
