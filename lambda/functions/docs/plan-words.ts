/** What plans are called, cost and come with, in words for callers. */

import type { PlanName } from '../../domain/quota/plan';

export interface PlanWords {
  readonly title: string;
  readonly price: string;
  readonly features: string;
}

export const prices: Readonly<Record<PlanName, PlanWords>> = {
  free: { title: 'Free', price: '$0', features: 'a key, AI images, basic support' },
  pro: { title: 'Pro', price: '$29 a month', features: 'usage by day and source, priority support' },
  business: {
    title: 'Business',
    price: '$199 a month',
    features: 'usage by key and over 13 months, service level agreement',
  },
  enterprise: {
    title: 'Enterprise',
    price: 'custom',
    features: 'the same, dedicated support, own service level agreement',
  },
};
