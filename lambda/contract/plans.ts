/** The plans: their limits, their texts, and their throttles at API Gateway. */

import { batchImagesMax } from '../../packages/client/src/service';

export const planNames = ['free', 'pro', 'business', 'enterprise'] as const;
export type PlanName = (typeof planNames)[number];

/** The limit that means "unlimited". It is the largest integer that every client can hold (2³¹ − 1). */
export const unlimitedRequests = 2_147_483_647;

/** The limits of a plan, and the detail in which its usage is reported. */
export interface Plan {
  readonly name: PlanName;
  /** Requests per UTC calendar month; `unlimitedRequests` means that no limit is enforced. */
  readonly monthlyRequests: number;
  /** AI images of live keys per UTC calendar month. Free variations and images of the sandbox count too. */
  readonly generationsPerMonth: number;
  readonly texts?: PlanTexts;
  readonly analytics: 'totals' | 'by-day' | 'by-key';
}

/** The plans in force. The setting `plans` of the operator replaces parts of the defaults. */
export type Plans = Readonly<Record<PlanName, Plan>>;

const unlimited = { monthlyRequests: unlimitedRequests };

export const defaultPlans: Plans = {
  free: { name: 'free', monthlyRequests: 1_000, generationsPerMonth: 25, analytics: 'totals' },
  pro: { name: 'pro', monthlyRequests: 50_000, generationsPerMonth: 500, analytics: 'by-day' },
  business: { name: 'business', monthlyRequests: 500_000, generationsPerMonth: 4_000, analytics: 'by-key' },
  enterprise: { ...unlimited, name: 'enterprise', generationsPerMonth: 20_000, analytics: 'by-key' },
};

/** Writes the names of the plans whose usage is reported by day, or also by key, such as `pro and business`. */
export function writeReportedPlans(analytics: 'by-day' | 'by-key'): string {
  const names = planNames.filter((name) => [analytics, 'by-key'].includes(defaultPlans[name].analytics));
  return new Intl.ListFormat('en-GB').format(names);
}

/** An account without a limit spreads its requests over this many counters, because a counter is slow. */
export const unlimitedCounterShards = 8;

/** Units of `work` per UTC clock hour. A search, a new rendition and a free delivery take one each. */
export const workPerHour = {
  free: 300,
  pro: 2_000,
  business: 10_000,
  enterprise: 40_000,
  /** The test keys of an account share this. */
  test: 100,
  /** Addresses without a key: each has the first number, all together have the second. */
  anonymous: 30,
  allAnonymous: 3_000,
  visitor: 60,
  /** New renditions of an image that is paid today. The first delivery does not count. */
  paidImage: 60,
} as const satisfies Readonly<Record<PlanName | 'test', number>> & Readonly<Record<string, number>>;

/** AI images that may be begun: per minute of an account, per minute of all, per month of test keys. */
export const generationBounds = { accountPerMinute: 30, allPerMinute: 120, testPerMonth: 25 } as const;

/** The largest share of `generationsPerDay` for one account. It is never less than `accountMin`. */
export const generationShare = { account: 0.25, accountMin: 25 } as const;

/**
 * Computes how many requests may wait for an AI image in a half-minute. `executions` are those of the AWS
 * account that no function has reserved. All requests get an eighth of them. One account gets a quarter of
 * that, or enough for a batch if this is more, and at most half. docs/security.md has examples.
 */
export function computeWaitingPlaces(executions: number): {
  readonly total: number;
  readonly account: number;
} {
  const total = Math.max(2, Math.floor(executions / 8));
  const accountShare = Math.max(batchImagesMax, Math.floor(total / 4));
  const account = Math.max(2, Math.min(accountShare, Math.floor(total / 2)));
  return { total, account };
}

/** Requests per UTC clock hour without a key, per client IP address. */
export const anonymousRequestsPerHour = 10;

/** Requests per UTC clock hour of all test keys of one account. */
export const testRequestsPerHour = 100;

/** Requests of an account to `/api/usage` and `/api/keys`, per UTC clock minute. */
export const selfServicePerMinute = 30;

/** The share of a site key's cap that requests without `Origin` and `Referer` may spend. */
export const unprovenShareOfSite = 0.1;

/**
 * The tiers of usage plans at API Gateway. All callers of a tier share one key and its throttle. The service
 * counts the quotas. Callers with a refused key are in the tier `anonymous`.
 */
export const tiers = ['anonymous', 'test', ...planNames] as const;
export type Tier = (typeof tiers)[number];

/** Requests per second that API Gateway admits from all callers of a tier together. */
export const tierPerSecond: Readonly<Record<Tier, number>> = {
  anonymous: 50,
  test: 200,
  free: 800,
  pro: 2_000,
  business: 3_000,
  enterprise: 4_000,
};

/** Title, price and features of a plan, in words for callers. */
export interface PlanTexts {
  readonly title?: string;
  readonly price?: string;
  readonly features?: string;
}

/** Months of usage of `by-key` plans: the running month and the twelve before it. */
export const usageHistoryMonths = 13;

/** Makes the texts of plans in the local service. It is a function, so that bundles leave the texts out. */
export const makePlanTexts = (): Readonly<Record<PlanName, PlanTexts>> => ({
  free: { title: 'Free', price: '$0', features: 'API key, AI images, basic support' },
  pro: { title: 'Pro', price: '$29 per month', features: 'usage by day and source, priority support' },
  business: {
    title: 'Business',
    price: '$199 per month',
    features: `usage by key and ${usageHistoryMonths} months of history, service level agreement`,
  },
  enterprise: {
    title: 'Enterprise',
    price: 'custom',
    features: 'everything in Business, dedicated support, custom service level agreement',
  },
});
