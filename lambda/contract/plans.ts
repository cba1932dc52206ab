/** The limits of the plans, their texts, and their throttles at API Gateway. */

export const planNames = ['free', 'pro', 'business', 'enterprise'] as const;
export type PlanName = (typeof planNames)[number];

/** The limit that means "unlimited": the largest integer that every client can hold (2³¹ − 1). */
export const unlimitedRequests = 2_147_483_647;

/** The limits of a plan, and how its usage is reported. */
export interface Plan {
  readonly name: PlanName;
  /** Requests per UTC calendar month; `unlimitedRequests` means that no limit is enforced. */
  readonly monthlyRequests: number;
  /** AI images per UTC calendar month of live keys; free variations and images of the sandbox count too. */
  readonly generationsPerMonth: number;
  readonly texts?: PlanTexts;
  readonly analytics: 'totals' | 'by-day' | 'by-key';
}

/** The plans in force: the defaults, with what the operator has replaced (setting `plans`). */
export type Plans = Readonly<Record<PlanName, Plan>>;

const unlimited = { monthlyRequests: unlimitedRequests };

export const defaultPlans: Plans = {
  free: { name: 'free', monthlyRequests: 1_000, generationsPerMonth: 25, analytics: 'totals' },
  pro: { name: 'pro', monthlyRequests: 50_000, generationsPerMonth: 500, analytics: 'by-day' },
  business: { name: 'business', monthlyRequests: 500_000, generationsPerMonth: 4_000, analytics: 'by-key' },
  enterprise: { ...unlimited, name: 'enterprise', generationsPerMonth: 20_000, analytics: 'by-key' },
};

/** Counters over which the requests of an account without a limit are spread, for a higher rate of writes. */
export const unlimitedCounterShards = 8;

/** Units of `work` per UTC clock hour: a search, a new rendition, a delivery free by rule take one each. */
export const workPerHour = {
  // The plans bound the work of an account.
  free: 300,
  pro: 2_000,
  business: 10_000,
  enterprise: 40_000,
  /** The test keys of an account share this. */
  test: 100,
  /** An address without a key has the first, all of them together have the second. */
  anonymous: 30,
  allAnonymous: 3_000,
  visitor: 60,
  /** Renditions of an image that is paid today, beside its first delivery. */
  paidImage: 60,
} as const satisfies Readonly<Record<PlanName | 'test', number>> & Readonly<Record<string, number>>;

/** AI images that may be begun: per minute for an account and for all, per month for test keys. */
export const generationBounds = { accountPerMinute: 30, allPerMinute: 120, testPerMonth: 25 } as const;

/** Largest share of `generationsPerDay` for one account, but never less than `accountMin`. */
export const generationShare = { account: 0.25, accountMin: 25 } as const;

/**
 * Computes how many requests may begin to wait for an AI image in half a minute, by the unreserved executions
 * of the AWS account: max(2, executions / 8) in total, and max(2, min(max(24, total / 4), total / 2)) for one
 * account. docs/security.md has a table.
 */
export function computeWaitingPlaces(executions: number): {
  readonly total: number;
  readonly account: number;
} {
  const total = Math.max(2, Math.floor(executions / 8));
  const account = Math.max(2, Math.min(Math.max(24, Math.floor(total / 4)), Math.floor(total / 2)));
  return { total, account };
}

/** Requests per UTC clock hour without a key, per client IP address. */
export const anonymousRequestsPerHour = 10;

/** Requests per UTC clock hour of all test keys of one account. */
export const testRequestsPerHour = 100;

/** Requests of an account to `/api/usage` and `/api/keys`, per UTC clock minute. */
export const selfServicePerMinute = 30;

/** The share of a site key's monthly limit that requests with neither `Origin` nor `Referer` may spend. */
export const unprovenShareOfSite = 0.1;

/**
 * Tiers of usage plans at API Gateway. Each has one key, whose throttle all callers of the tier share; quotas
 * are counted by the service. `anonymous` also carries callers whose key was refused.
 */
export const tiers = ['anonymous', 'test', ...planNames] as const;
export type Tier = (typeof tiers)[number];

/** Requests a second that API Gateway admits of all callers of a tier. */
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

/** Months of usage for `by-key` plans: the running month, and twelve before it, for a comparison by year. */
export const usageHistoryMonths = 13;

/** The texts of the local service. A function, so that bundles leave them out. */
export const planTexts = (): Readonly<Record<PlanName, PlanTexts>> => ({
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
