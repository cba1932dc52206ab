/** The settings in which the tested stage differs from production. */

import { stageOf } from '../../lib/stage';
import type { FakeProviderName } from '../local/fake-providers/start';

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
    generator: { kind: 'sandbox' },
    alarmEmail: 'operator@example.org',
    plans: { free: { monthlyRequests: freeRequests } },
    throttles: { ...stageOf('prod').throttles, enterprise: { perSecond: 1, burst: 2 } },
  };
}

/** What the deployment test cannot show, for its last lines. */
export const notCovered: readonly string[] = [
  'canary deployments and their rollback (CodeDeploy), the firewall at work, the budget, custom domains',
  'arm64 code, where this machine is x86_64',
  'CloudFront: its caching, functions and check of signatures (done by the tests, with what was deployed)',
  'real providers and generators: fake providers and the sandbox answered; model access and the Marketplace agreement',
  'metrics that reach their alarms, the schedule of the sweeper over time, log retention, lifecycle rules, expiry of items',
  'URLs in gateway answers ($context.domainName stays as it is), and `$`, `#`, `%25` and `;` in queries',
  "the account's limits: concurrent functions (shedding is shown by a simulation), requests per second, write units per partition key",
  'calls of the bucket emptier against its role',
  'point-in-time recovery to an earlier moment: the emulated account restores the items of the present',
  'the rollback of a failed first deployment where AWS itself takes long: CloudFront, the firewall, log delivery',
];
