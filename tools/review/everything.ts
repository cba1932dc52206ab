/** The settings of a stage with everything switched on, whose template is linted and committed as well. */

const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/1';
const hostedZone = { id: 'Z0123456789', name: 'example.org' };

/** Settings by their names, as `stageOf` takes them. */
export const everythingOn = {
  installation: 'all',
  slotBindings: { stock_a: 'unsplash', stock_b: 'pexels', stock_c: 'pixabay' },
  providerQuotas: { unsplash: { perHour: 5_000 } },
  generatorConcurrency: 20,
  rendererConcurrency: 20,
  authorizerConcurrency: 20,
  testKeysGenerate: true,
  contact: 'ops@example.org',
  plans: { free: { monthlyRequests: 2_000 } },
  signingKey: { version: 2, trusted: [1, 2] },
  eventBus: 'accounts',
  alarmEmail: 'ops@example.org',
  monthlyBudgetUsd: 100,
  firewallRequestsPer5Min: 2_000,
  edge: true,
  originLock: { version: 2, trusted: [1, 2] },
  apiDomain: { name: 'api.example.org', certificateArn, hostedZone },
  imageDomain: { name: 'images.example.org', certificateArn, hostedZone },
} as const;
