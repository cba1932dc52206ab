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
export function stageSettings(): Settings {
  const [stock_a, stock_b, stock_c] = boundProviders;
  return {
    architecture: process.arch === 'arm64' ? 'arm64' : 'x86_64',
    slotBindings: { stock_a, stock_b, stock_c },
    // A fast machine would use up what a provider grants without a key within the minute.
    providerQuotas: { openverse: { perMinute: 1_000 }, wikimedia: { perMinute: 1_000 } },
    generator: { kind: 'sandbox' },
    alarmEmail: 'operator@example.org',
    plans: { free: { monthlyRequests: freeRequests }, enterprise: { perSecond: 1 } },
  };
}

/** Settings that are never switched in a deployed stage, with the reason. */
const never = {
  installation: 'it names another stack',
  restoredTables: 'it names what point-in-time recovery has made',
  warmWrites: 'the emulated account has no throughput',
  edge: 'the emulated account has no distribution that asks an API',
} as const satisfies Partial<Record<Name, string>>;

/** What every other setting is switched to, in the stage after the first. */
type Switched = Readonly<Record<Exclude<Name, keyof typeof never | 'contentCredentials'>, unknown>>;
/** These in the stages after that. */
type Later = Settings & Readonly<Record<'contentCredentials', unknown>>;

interface Walk {
  readonly switched: Switched;
  readonly later: Later;
  readonly ending: Settings;
}

/**
 * The stages that follow one another, with that of `stageSettings` before and after the first, so that each setting is switched
 * there and back.
 */
export function walkOf({ modelUrl, certificateArn, hostedZone }: World): Walk {
  const base = stageSettings();
  const hostedZoneId = hostedZone.id;
  const domains = {
    api: { name: `api.${hostedZone.name}`, certificateArn, hostedZoneId },
    images: { name: `images.${hostedZone.name}`, certificateArn, hostedZoneId },
  };
  const later = { domains, contentCredentials: 'off', keyVersion: 3 };
  return {
    switched: {
      domains,
      architecture: base.architecture === 'arm64' ? 'x86_64' : 'arm64',
      generator: {
        kind: 'openai-compatible',
        baseUrl: modelUrl,
        model: 'fake',
        sendResponseFormat: 'b64_json',
      },
      aiLabel: 'corner',
      keyVersion: 2,
      keepsData: false,
      slotBindings: { stock_c: 'library' },
      providerQuotas: { openverse: { perHour: 5_000 } },
      imageDelivery: 'own',
      generationsPerDay: 'off',
      plans: { free: { monthlyRequests: 5 }, enterprise: { perSecond: 2 } },
      site: { name: 'Pictures', contact: 'ops@example.org' },
      logRetentionDays: 30,
      alarmEmail: 'accounts@example.org',
      firewallRequestsPer5Min: 'off',
    },
    later,
    ending: { ...later, keepsData: false },
  };
}

/** The keys rotated, and the version before trusted. */
export const rotated = { keyVersion: 2 };
