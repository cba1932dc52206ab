/** The settings in which the tested stage differs from production. */

import type { FakeProviderName } from '../../local/fake-providers/start';

/** Providers that the stock slots are bound to; fake providers answer for them. */
export const boundProviders = [
  'openverse',
  'wikimedia',
  'unsplash',
] as const satisfies readonly FakeProviderName[];

/** Requests per month of the free plan, few enough to use up. */
export const freeRequests = 3;

/** @param endpoints of the fake providers, by provider */
export function stageSettings(
  endpoints: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  const [stock_a, stock_b, stock_c] = boundProviders;
  return {
    architecture: process.arch === 'arm64' ? 'arm64' : 'x86_64',
    canary: false,
    slotBindings: { stock_a, stock_b, stock_c },
    providerEndpoints: endpoints,
    // A fast machine would use up what a provider grants without a key within the minute.
    providerQuotas: { openverse: { perMinute: 1_000 }, wikimedia: { perMinute: 1_000 } },
    generator: { kind: 'sandbox' },
    alarmEmail: 'operator@example.org',
    plans: { free: { monthlyRequests: freeRequests } },
    throttles: { enterprise: { perSecond: 1, burst: 2 } },
  };
}
